/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  // Tests alone are searched; var/ (with a database in it) and node_modules/ are never crawled.
  roots: ['<rootDir>/test'],
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '<rootDir>/test/support/transform.js',
      { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, module: { type: 'es6' } },
    ],
  },
  globalSetup: '<rootDir>/test/support/global-setup.ts',
  globalTeardown: '<rootDir>/test/support/global-teardown.ts',
  reporters: ['default', '<rootDir>/test/support/summary-reporter.js'],
  testTimeout: 60_000,
  maxWorkers: 2,
  // Modules of a test file are not given back when it ends: a process of gigabytes stands still for seconds to collect them.
  workerIdleMemoryLimit: '1GB',
};
