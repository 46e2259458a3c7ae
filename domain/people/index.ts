export { checkActiveUsers, issuesOfUsers } from './active-users.ts';
export { findUserOf, getEmployees } from './employees.service.ts';
export { getUserMemberships } from './memberships.service.ts';
export { getSubordinates } from './subordinates.service.ts';
export { getUsers } from './users.service.ts';
