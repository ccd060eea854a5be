export { atHome } from './home.js';
export { keepTickShape } from './keep-tick-shape.js';
