export { createCreateConcert } from './create-concert.js';
export { type OperatorRouteDeps, operatorRoutes } from './routes.js';
