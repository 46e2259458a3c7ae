export { findWorkItem, lockWorkItem } from './find.ts';
export { createWorkItem, getWorkItem, listWorkItems } from './work-items.service.ts';
