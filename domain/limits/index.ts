export { createPostgresLeaseStore } from './postgres-lease-store.ts';
export { createRateLimiter } from './rate-limiter.ts';
export type { Admission, RateLimiter } from './rate-limiter.ts';
export { ratePolicyOf } from './rate-policy.ts';
export type { RatePolicy } from './rate-policy.ts';
export { createUnlimited } from './unlimited.ts';
