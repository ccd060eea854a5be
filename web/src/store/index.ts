export { createPersistedStore } from './persisted-store.js';
export { createStore, useStore } from './store.js';
