import { PreviewTemplate, TemplatePreview } from '../../../domain/contracts/event-log.ts';
import { previewTemplate } from '../../../domain/webhooks/index.ts';
import { operation } from '../../operation.ts';

export const templatePreviewOperation = operation({
  name: 'preview-payload-template',
  title: 'Preview a payload template',
  description:
    'Shows what a payload template makes of an event, before a webhook has it: the default payload of the event, with made-up data or that of a stored event, and the payload that would be sent. Tells for a filter whether it lets the event through. Nothing is sent or kept.',
  area: 'Outbound webhooks',
  scopes: ['webhooks:read', 'webhooks:write'],
  input: PreviewTemplate,
  output: TemplatePreview,
  effects: 'read',
  route: { method: 'post', path: '/api/v1/work-items/webhooks/template-preview', auth: ['jwt'], shape: 'flat' },
  errors: ['FORBIDDEN', 'NOT_FOUND', 'TIER_RESTRICTED'],
  run: async ({ caller, tx }, input) => ({ data: await previewTemplate(tx, caller, input) }),
});
