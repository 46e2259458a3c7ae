import { z } from 'zod';
import { ListVehicleLocations, VehicleLocationView } from '../../../domain/contracts/inbound-webhooks.ts';
import { listVehicleLocations } from '../../../domain/inbound-webhooks/index.ts';
import { operation } from '../../operation.ts';
import { AREA } from './shared.ts';

export const listVehicleLocationsOperation = operation({
  name: 'list-vehicle-locations',
  title: 'List where vehicles are',
  description:
    'Lists each vehicle that inbound webhooks of type vehicle_location or fleet_webview told of, with its newest location, by vehicle_id.',
  area: AREA,
  scopes: ['webhooks:read'],
  input: ListVehicleLocations,
  output: z.array(VehicleLocationView),
  paginated: true,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/vehicle-locations', auth: ['jwt'] },
  run: async ({ tx }, input) => {
    const { locations, pagination } = await listVehicleLocations(tx, input);
    return { data: locations, pagination };
  },
});
