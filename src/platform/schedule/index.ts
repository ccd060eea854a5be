export { createSchedule, type Schedule } from './schedule.js';
