export { listThreadMessages, listThreads, notifyUsers, sendThreadMessage, writeInThread } from './threads.service.ts';
