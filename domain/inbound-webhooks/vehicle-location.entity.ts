import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** Where a vehicle was at a moment. */
export const VehicleLocation = defineEntity({
  name: 'VehicleLocation',
  tableName: 'vehicle_locations',
  properties: {
    id: column.bigId(),
    client_id: column.clientId(),
    vehicle_id: p.text(),
    registration: p.text().nullable(),
    driver_name: p.text().nullable(),
    latitude: p.double(),
    longitude: p.double(),
    speed_kmh: p.double().nullable(),
    heading: p.double().nullable(),
    odometer_km: p.double().nullable(),
    ignition: p.boolean().nullable(),
    receipt_id: p.uuid(),
    recorded_at: column.moment(),
    received_at: column.createdAt(),
  },
  // Told twice, a location is kept once; and the order in which they are read.
  uniques: [{ name: 'vehicle_locations_moment_unique', properties: ['client_id', 'vehicle_id', 'recorded_at'] }],
});
