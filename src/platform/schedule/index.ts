export { createSchedule, type Schedule, type ScheduleOptions } from './schedule.js';
