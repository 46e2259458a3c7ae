import type { AnyEntity, EntitySchema } from '@mikro-orm/core';
import { Appointment } from './appointments/appointment.entity.ts';
import { WorkItemAttachment } from './attachments/attachment.entity.ts';
import { UnclaimedBlob } from './attachments/unclaimed-blob.entity.ts';
import { AttendanceLog } from './attendance/attendance-log.entity.ts';
import { AttendanceState } from './attendance/attendance-state.entity.ts';
import { AuditEntry } from './audit/audit-entry.entity.ts';
import { AuditSeal } from './audit/audit-seal.entity.ts';
import { AccountLink } from './auth/account-link.entity.ts';
import { AuthFailure } from './auth/auth-failure.entity.ts';
import { BrowserSession } from './auth/browser-session.entity.ts';
import { RefreshToken } from './auth/refresh-token.entity.ts';
import { WorkItemComment } from './comments/comment.entity.ts';
import { Contact } from './contacts/contact.entity.ts';
import { Event } from './events/event.entity.ts';
import { AuditorExport } from './finance/export/auditor-export.entity.ts';
import { FinanceCounter } from './finance/finance-counter.entity.ts';
import { FinanceDocumentLine } from './finance/finance-document-line.entity.ts';
import { FinanceDocument } from './finance/finance-document.entity.ts';
import { Payment } from './finance/payment.entity.ts';
import { FormSubmission } from './forms/form-submission.entity.ts';
import { Form } from './forms/form.entity.ts';
import { IdempotencyRecord } from './idempotency/idempotency-record.entity.ts';
import { InboundLink } from './inbound-webhooks/inbound-link.entity.ts';
import { InboundReceipt } from './inbound-webhooks/inbound-receipt.entity.ts';
import { InboundWebhookCount } from './inbound-webhooks/inbound-webhook-count.entity.ts';
import { InboundWebhook } from './inbound-webhooks/inbound-webhook.entity.ts';
import { VehicleLocation } from './inbound-webhooks/vehicle-location.entity.ts';
import { ApiKeyUsage } from './keys/api-key-usage.entity.ts';
import { ApiKey } from './keys/api-key.entity.ts';
import { RateWindow } from './limits/rate-window.entity.ts';
import { Mail } from './mails/mail.entity.ts';
import { OAuthAccessToken } from './oauth/access-token.entity.ts';
import { OAuthApplicationEntity } from './oauth/application.entity.ts';
import { OAuthAuthorizationRequest } from './oauth/authorization-request.entity.ts';
import { OAuthCode } from './oauth/code.entity.ts';
import { WorkflowStart } from './outbox/workflow-start.entity.ts';
import { Employee } from './people/employee.entity.ts';
import { Team } from './people/team.entity.ts';
import { TeamMembership } from './people/team-membership.entity.ts';
import { Client } from './tenancy/client.entity.ts';
import { User } from './tenancy/user.entity.ts';
import { RecurringJobOccurrence } from './recurring/occurrence.entity.ts';
import { RecurringJobEntity } from './recurring/recurring-job.entity.ts';
import { ThreadMessage } from './threads/thread-message.entity.ts';
import { ThreadParticipant } from './threads/thread-participant.entity.ts';
import { Thread } from './threads/thread.entity.ts';
import { WorkItemTimeEntry } from './time-entries/time-entry.entity.ts';
import { AccountLesson } from './vision/account-lesson.entity.ts';
import { CreditEntry } from './vision/credit-entry.entity.ts';
import { LedgerAccount } from './vision/ledger-account.entity.ts';
import { VisionLesson } from './vision/lesson.entity.ts';
import { VisionSample } from './vision/model-sample.entity.ts';
import { VisionModel } from './vision/model.entity.ts';
import { VisionTraining } from './vision/training.entity.ts';
import { VisionDocument } from './vision/vision-document.entity.ts';
import { VisionRequest } from './vision/vision-request.entity.ts';
import { DeliveryAttempt } from './webhooks/delivery-attempt.entity.ts';
import { Delivery } from './webhooks/delivery.entity.ts';
import { WebhookKey } from './webhooks/webhook-key.entity.ts';
import { WebhookPause } from './webhooks/webhook-pause.entity.ts';
import { WebhookRecovery } from './webhooks/webhook-recovery.entity.ts';
import { WebhookRevision } from './webhooks/webhook-revision.entity.ts';
import { Webhook } from './webhooks/webhook.entity.ts';
import { ManagedTask } from './work-items/managed-task.entity.ts';
import { WorkItemAssignee } from './work-items/work-item-assignee.entity.ts';
import { WorkItemContractor } from './work-items/work-item-contractor.entity.ts';
import { WorkItemRelationship } from './work-items/work-item-relationship.entity.ts';
import { WorkItemChange } from './work-items/work-item-change.entity.ts';
import { WorkItemCount } from './work-items/work-item-count.entity.ts';
import { WorkItemWatermark } from './work-items/work-item-watermark.entity.ts';
import { WorkItemWord } from './work-items/work-item-word.entity.ts';
import { WorkItem } from './work-items/work-item.entity.ts';
import { WorkflowRunStep } from './workflow-templates/workflow-run-step.entity.ts';
import { WorkflowRun } from './workflow-templates/workflow-run.entity.ts';
import { WorkflowTemplate } from './workflow-templates/workflow-template.entity.ts';

/** Every table of the product: what the ORM discovers and what the migrations are checked against. */
export const entities = [
  AccountLesson,
  ApiKey,
  ApiKeyUsage,
  Appointment,
  AttendanceLog,
  AttendanceState,
  AuditEntry,
  AuditorExport,
  AuditSeal,
  AccountLink,
  AuthFailure,
  BrowserSession,
  Client,
  Contact,
  CreditEntry,
  Delivery,
  DeliveryAttempt,
  Employee,
  Event,
  FinanceCounter,
  FinanceDocument,
  FinanceDocumentLine,
  Form,
  FormSubmission,
  IdempotencyRecord,
  InboundLink,
  InboundReceipt,
  InboundWebhook,
  InboundWebhookCount,
  LedgerAccount,
  Mail,
  ManagedTask,
  OAuthAccessToken,
  OAuthApplicationEntity,
  OAuthAuthorizationRequest,
  OAuthCode,
  Payment,
  RateWindow,
  RecurringJobEntity,
  RecurringJobOccurrence,
  RefreshToken,
  Team,
  TeamMembership,
  Thread,
  ThreadMessage,
  ThreadParticipant,
  UnclaimedBlob,
  User,
  VehicleLocation,
  VisionDocument,
  VisionLesson,
  VisionModel,
  VisionRequest,
  VisionSample,
  VisionTraining,
  Webhook,
  WebhookKey,
  WebhookPause,
  WebhookRecovery,
  WebhookRevision,
  WorkflowRun,
  WorkflowRunStep,
  WorkflowStart,
  WorkflowTemplate,
  WorkItem,
  WorkItemAssignee,
  WorkItemAttachment,
  WorkItemComment,
  WorkItemContractor,
  WorkItemChange,
  WorkItemCount,
  WorkItemRelationship,
  WorkItemTimeEntry,
  WorkItemWatermark,
  WorkItemWord,
] as unknown as EntitySchema<AnyEntity>[];
