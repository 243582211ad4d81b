import { compileAll } from './compile.mjs';

export default compileAll;
