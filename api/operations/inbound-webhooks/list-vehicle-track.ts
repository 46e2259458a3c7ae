import { z } from 'zod';
import { ListVehicleTrack, VehicleLocationView } from '../../../domain/contracts/inbound-webhooks.ts';
import { listVehicleTrack } from '../../../domain/inbound-webhooks/index.ts';
import { operation } from '../../operation.ts';
import { AREA } from './shared.ts';

export const listVehicleTrackOperation = operation({
  name: 'list-vehicle-track',
  title: 'List where a vehicle was',
  description: 'Lists the locations of one vehicle within a time, newest first; none for a vehicle nobody told of.',
  area: AREA,
  scopes: ['webhooks:read'],
  input: ListVehicleTrack,
  output: z.array(VehicleLocationView),
  paginated: true,
  effects: 'read',
  route: { method: 'get', path: '/api/v1/vehicle-locations/{vehicle_id}', auth: ['jwt'], params: ['vehicle_id'] },
  run: async ({ tx }, input) => {
    const { locations, pagination } = await listVehicleTrack(tx, input);
    return { data: locations, pagination };
  },
});
