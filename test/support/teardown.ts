import { tearDown } from './setup.ts';

export default tearDown;
