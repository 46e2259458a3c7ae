import type { AnyEntity, EntitySchema } from '@mikro-orm/core';
import { AuditEntry } from './audit/audit-entry.entity.ts';
import { AuthFailure } from './auth/auth-failure.entity.ts';
import { BrowserSession } from './auth/browser-session.entity.ts';
import { RefreshToken } from './auth/refresh-token.entity.ts';
import { Contact } from './contacts/contact.entity.ts';
import { Event } from './events/event.entity.ts';
import { IdempotencyRecord } from './idempotency/idempotency-record.entity.ts';
import { ApiKeyUsage } from './keys/api-key-usage.entity.ts';
import { ApiKey } from './keys/api-key.entity.ts';
import { RateWindow } from './limits/rate-window.entity.ts';
import { OAuthAccessToken } from './oauth/access-token.entity.ts';
import { OAuthApplicationEntity } from './oauth/application.entity.ts';
import { OAuthAuthorizationRequest } from './oauth/authorization-request.entity.ts';
import { OAuthCode } from './oauth/code.entity.ts';
import { WorkflowStart } from './outbox/workflow-start.entity.ts';
import { Employee } from './people/employee.entity.ts';
import { Client } from './tenancy/client.entity.ts';
import { User } from './tenancy/user.entity.ts';
import { CreditEntry } from './vision/credit-entry.entity.ts';
import { VisionRequest } from './vision/vision-request.entity.ts';
import { DeliveryAttempt } from './webhooks/delivery-attempt.entity.ts';
import { Delivery } from './webhooks/delivery.entity.ts';
import { WebhookKey } from './webhooks/webhook-key.entity.ts';
import { Webhook } from './webhooks/webhook.entity.ts';
import { WorkItemAssignee } from './work-items/work-item-assignee.entity.ts';
import { WorkItemContractor } from './work-items/work-item-contractor.entity.ts';
import { WorkItemRelationship } from './work-items/work-item-relationship.entity.ts';
import { WorkItem } from './work-items/work-item.entity.ts';

/** Every table of the product: what the ORM discovers and what the migrations are checked against. */
export const entities = [
  ApiKey,
  ApiKeyUsage,
  AuditEntry,
  AuthFailure,
  BrowserSession,
  Client,
  Contact,
  CreditEntry,
  Delivery,
  DeliveryAttempt,
  Employee,
  Event,
  IdempotencyRecord,
  OAuthAccessToken,
  OAuthApplicationEntity,
  OAuthAuthorizationRequest,
  OAuthCode,
  RateWindow,
  RefreshToken,
  User,
  VisionRequest,
  Webhook,
  WebhookKey,
  WorkflowStart,
  WorkItem,
  WorkItemAssignee,
  WorkItemContractor,
  WorkItemRelationship,
] as unknown as EntitySchema<AnyEntity>[];
