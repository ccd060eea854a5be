export { keepTickShape } from './keep-tick-shape.js';
