export { formatWarning } from '#messages/english-warnings';
