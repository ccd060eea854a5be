export { createCreateConcert } from './create-concert.js';
export { operatorRoutes } from './routes.js';
