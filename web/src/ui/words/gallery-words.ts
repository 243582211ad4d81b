import { policiesGalleryWords } from '#locales/policies-gallery';
import { language } from '../../language/language.ts';

export const { gallery } = policiesGalleryWords[language];
