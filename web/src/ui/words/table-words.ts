import { frameTablesWords } from '#locales/frame-tables';
import { language } from '../../language/language.ts';

export const { listTable } = frameTablesWords[language];

const words = frameTablesWords[language].charts;

export const charts = { ...words, cut: (days: string[]): string => words.cut(days.join(' · ')) };
