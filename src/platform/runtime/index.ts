export { packagePath } from './package-path.js';
