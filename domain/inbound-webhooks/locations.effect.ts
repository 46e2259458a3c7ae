import { momentOf } from '../contracts/common.ts';
import type { LocationBody } from '../contracts/inbound-bodies.ts';
import { statement } from '../../platform/db/statement.ts';
import type { Effect, EffectContext } from './effect.ts';

// A location that is told again, by whatever call, is there already.
const INSERT = statement(`
  insert into vehicle_locations (client_id, vehicle_id, registration, driver_name, latitude, longitude, speed_kmh, heading,
    odometer_km, ignition, receipt_id, recorded_at, received_at)
  select $1, l.vehicle_id, l.registration, l.driver_name, l.latitude, l.longitude, l.speed_kmh, l.heading, l.odometer_km,
    l.ignition, $2, l.recorded_at, $3
  from json_to_recordset($4::json) as l (vehicle_id text, registration text, driver_name text, latitude float8,
    longitude float8, speed_kmh float8, heading float8, odometer_km float8, ignition boolean, recorded_at timestamptz)
  on conflict (client_id, vehicle_id, recorded_at) do nothing returning 1`);

/** Where vehicles are, as rows of `GET /vehicle-locations`. */
export function locationsEffect({ tx, receipt }: EffectContext, locations: readonly LocationBody[]): Effect {
  return {
    key: null,
    apply: async () => {
      const rows = locations.map((location) => ({
        ...location,
        recorded_at: location.recorded_at === undefined ? receipt.receivedAt : momentOf(location.recorded_at),
      }));
      const values = [tx.clientId, receipt.id, receipt.receivedAt, JSON.stringify(rows)];
      const stored = await tx.query(INSERT, values);
      return { stored: stored.length, already_known: locations.length - stored.length };
    },
  };
}
