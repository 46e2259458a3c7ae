import type { z } from 'zod';
import type { FieldIssue } from '../contracts/errors.ts';
import { isEventName } from '../contracts/event-names.ts';
import { issueWords } from '../contracts/issue-words.ts';
import { CreateWorkItem, WorkItemRef } from '../contracts/work-items.ts';
import { MAX_BRANCH_DEPTH, MAX_STEPS } from '../contracts/workflow-templates.ts';
import type { TemplateConfigInput, TemplateStepInput } from '../contracts/workflow-templates.ts';
import { brokenPlaceholders, conditionIssues, hasPlaceholder } from '../expressions/index.ts';

import { cronIssues } from './schedule.ts';

/** The event that starts a template's runs, or null where something else does. */
export function triggerEvent(triggerType: string, config: TemplateConfigInput): string | null {
  if (triggerType === 'event') return config.event ?? null;
  return triggerType === 'webhook' ? 'inbound_webhook.received' : null;
}

/** What is wrong with a configuration beyond its shape, field by field; users that it names are looked up elsewhere. */
export function configIssues(triggerType: string, config: TemplateConfigInput): FieldIssue[] {
  const { condition, steps } = config;
  const all = everyStep(steps, 'config.steps');
  const issues = [
    ...triggerIssues(triggerType, config),
    ...cronIssues(config),
    ...all.flatMap(({ step, field }) => stepIssues(step, field)),
  ];
  if (condition !== undefined) issues.push(...ofField('config.condition', conditionIssues(condition)));
  if (all.length > MAX_STEPS)
    issues.push(...ofField('config.steps', [`must hold no more than ${String(MAX_STEPS)} steps in all`]));
  if (all.some(({ depth }) => depth > MAX_BRANCH_DEPTH)) {
    issues.push(...ofField('config.steps', [`branches must not be nested deeper than ${String(MAX_BRANCH_DEPTH)}`]));
  }
  const names = all.flatMap(({ step }) => step.name ?? []);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) issues.push(...ofField('config.steps', [`two steps are named ${twice}`]));
  return issues;
}

interface PlacedStep {
  step: TemplateStepInput;
  /** JSON path within the request. */
  field: string;
  depth: number;
}

/** The steps with those of their branches, in the order in which they are written. */
export function everyStep(steps: readonly TemplateStepInput[], field: string, depth = 0): PlacedStep[] {
  return steps.flatMap((step, index) => {
    const at = `${field}[${String(index)}]`;
    const own = { step, field: at, depth };
    if (step.type !== 'branch' || depth > MAX_BRANCH_DEPTH) return [own];
    return [
      own,
      ...everyStep(step.then, `${at}.then`, depth + 1),
      ...everyStep(step.else ?? [], `${at}.else`, depth + 1),
    ];
  });
}

function triggerIssues(triggerType: string, { event, inbound_webhook_id, cron }: TemplateConfigInput): FieldIssue[] {
  if (triggerType === 'event') {
    if (event === undefined) return ofField('config.event', ['is required where trigger_type is event']);
    return isEventName(event) ? [] : ofField('config.event', [`${event} is not an event`]);
  }
  if (triggerType === 'webhook' && inbound_webhook_id === undefined) {
    return ofField('config.inbound_webhook_id', ['is required where trigger_type is webhook']);
  }
  if (triggerType !== 'schedule' || cron !== undefined) return [];
  return ofField('config.cron', ['is required where trigger_type is schedule']);
}

function stepIssues(step: TemplateStepInput, field: string): FieldIssue[] {
  const { type } = step;
  const broken = type === 'branch' ? [] : brokenPlaceholders(step);
  const issues = broken.map((placeholder) => ({ field, issue: `${placeholder} is not a path` }));
  if (type === 'branch') issues.push(...ofField(`${field}.if`, conditionIssues(step.if)));
  if (type === 'create_item') issues.push(...itemIssues(step.item, `${field}.item`));
  if (
    type === 'assign' &&
    step.assigned_to === undefined &&
    step.assigned_users === undefined &&
    step.assigned_team === undefined
  ) {
    issues.push(...ofField(field, ['needs assigned_to, assigned_users or assigned_team']));
  }
  return [...issues, ...targetIssues(step, field)];
}

/** Whom and what a step names by a text must be a placeholder, or what that is to come to. */
function targetIssues(step: TemplateStepInput, field: string): FieldIssue[] {
  const wrong = (value: unknown): boolean => typeof value === 'string' && !hasPlaceholder(value);
  const users = step.type === 'notify' ? step.user_ids : step.type === 'assign' ? (step.assigned_users ?? []) : [];
  const list = step.type === 'notify' ? 'user_ids' : 'assigned_users';
  const issues = users.flatMap((id, index) =>
    wrong(id) ? ofField(`${field}.${list}[${String(index)}]`, ['must be a user id or a placeholder']) : [],
  );
  if (step.type !== 'assign' && step.type !== 'comment') return issues;
  if (wrong(step.work_item) && !WorkItemRef.safeParse(step.work_item).success) {
    issues.push(
      ...ofField(`${field}.work_item`, ['must be the id or the item number of a work item, or a placeholder']),
    );
  }
  if (step.type === 'comment') return issues;
  if (wrong(step.assigned_to)) issues.push(...ofField(`${field}.assigned_to`, ['must be a user id or a placeholder']));
  if (wrong(step.assigned_team) && !CreateWorkItem.shape.assigned_team.safeParse(step.assigned_team).success) {
    issues.push(...ofField(`${field}.assigned_team`, ['must be the UUID of a team or a placeholder']));
  }
  return issues;
}

/** Fields that are decided now are checked now; those with placeholders when the step is done. */
function itemIssues(item: Readonly<Record<string, unknown>>, field: string): FieldIssue[] {
  const shape: Readonly<Record<string, z.ZodType>> = CreateWorkItem.shape;
  const missing = ['item_type', 'title'].filter((name) => item[name] === undefined);
  return [
    ...missing.map((name) => ({ field: `${field}.${name}`, issue: 'is required' })),
    ...Object.entries(item).flatMap(([name, value]) => {
      const schema = Object.hasOwn(shape, name) ? shape[name] : undefined;
      if (schema === undefined) return ofField(`${field}.${name}`, ['is not a field of create-work-item']);
      if (hasPlaceholder(value)) return [];
      const [first] = schema.safeParse(value, { error: issueWords }).error?.issues ?? [];
      return first === undefined ? [] : ofField([field, name, ...first.path].join('.'), [first.message]);
    }),
  ];
}

function ofField(field: string, issues: readonly string[]): FieldIssue[] {
  return issues.map((issue) => ({ field, issue }));
}
