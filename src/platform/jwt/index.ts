export { type Claims, createJwt, type Jwt } from './jwt.js';
