export { listThreadMessages, listThreads, notifyUsers, sendThreadMessage } from './threads.service.ts';
