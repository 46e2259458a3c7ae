import type { Operation } from '../../operation.ts';
import { webhookMaintenanceOperation } from './webhook-maintenance.ts';

export const cronOperations: readonly Operation[] = [webhookMaintenanceOperation];
