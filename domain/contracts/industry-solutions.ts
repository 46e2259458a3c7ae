import { z } from 'zod';
import { Moment } from './common.ts';
import { TEMPLATE_TYPES, TemplateConfig, TRIGGER_TYPES, WorkflowTemplateView } from './workflow-templates.ts';

export const SolutionKey = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and hyphens')
  .describe('Key of the industry solution')
  .meta({ example: 'field-service' });

/** A template that a solution brings. */
const SolutionWorkflow = z
  .object({
    name: z.string().meta({ example: 'Urgent jobs' }),
    description: z.string(),
    module: z.string().meta({ example: 'service-operations' }),
    type: z.enum(TEMPLATE_TYPES),
    trigger_type: z.enum(TRIGGER_TYPES),
    config: TemplateConfig,
  })
  .meta({ id: 'IndustrySolutionWorkflow' });

/** Spec, "Industry solution". */
export const IndustrySolutionView = z
  .object({
    solution_key: z.string().meta({ example: 'field-service' }),
    solution_name: z.string().meta({ example: 'Field service' }),
    description: z.string(),
    module: z.string().meta({ example: 'service-operations' }),
    is_active: z.boolean().describe('Whether it can be applied'),
    applied_at: Moment.nullable().describe('When its templates were first installed for your client'),
    workflows: z.array(SolutionWorkflow).describe('The workflow templates that it brings'),
  })
  .meta({ id: 'IndustrySolution' });
export type IndustrySolution = z.output<typeof IndustrySolutionView>;

export const AppliedSolution = z
  .object({
    solution_key: z.string(),
    installed: z.array(WorkflowTemplateView).describe('Templates that were made, active'),
    already_installed: z.int().describe('How many of its templates the client had'),
  })
  .meta({ id: 'AppliedSolution' });
