export { applySolution, listSolutions } from './solutions.service.ts';
