export { createWorkItem, getWorkItem, listWorkItems } from './work-items.service.ts';
