export { createPostgresLeaseStore } from './postgres-lease-store.ts';
export { createRateLimiter } from './rate-limiter.ts';
export type { Admission, RateLimiter } from './rate-limiter.ts';
export { rateLimitsOf } from './rate-policy.ts';
export type { Quota, RateLimit, RatePolicy } from './rate-policy.ts';
export { createUnlimited } from './unlimited.ts';
