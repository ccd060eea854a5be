export { createJwt, type Jwt } from './jwt.js';
