import { isoMoment, MAX_COUNTED, momentOf, pageOf } from '../contracts/common.ts';
import type { Page, Window } from '../contracts/common.ts';
import type { ListVehicleTrackInput, VehicleLocationData } from '../contracts/inbound-webhooks.ts';
import { statement } from '../../platform/db/statement.ts';
import type { TenantTransaction } from '../../platform/db/transaction.ts';

const COLUMNS = `l.id, l.vehicle_id, l.registration, l.driver_name, l.latitude, l.longitude, l.speed_kmh, l.heading,
  l.odometer_km, l.ignition, l.recorded_at, l.received_at`;

// One step down the index for each vehicle, however many locations it has.
const VEHICLES = `
  with recursive vehicles as (
    (select vehicle_id from vehicle_locations where client_id = $1 order by vehicle_id limit 1)
    union all
    select (select n.vehicle_id from vehicle_locations n where n.client_id = $1 and n.vehicle_id > v.vehicle_id
      order by n.vehicle_id limit 1)
    from vehicles v where v.vehicle_id is not null
  )`;
const LATEST = statement(`${VEHICLES}
  select ${COLUMNS}
  from (select vehicle_id from vehicles where vehicle_id is not null order by vehicle_id limit $2 offset $3) v
  cross join lateral (
    select * from vehicle_locations l where l.client_id = $1 and l.vehicle_id = v.vehicle_id
    order by l.recorded_at desc limit 1) l
  order by l.vehicle_id`);
const COUNT_VEHICLES = statement(`${VEHICLES} select count(*) as total from vehicles where vehicle_id is not null`);

const WANTED = `l.client_id = $1 and l.vehicle_id = $2 and ($3::timestamptz is null or l.recorded_at >= $3)
  and ($4::timestamptz is null or l.recorded_at < $4)`;
const TRACK = statement(`
  select ${COLUMNS} from vehicle_locations l where ${WANTED} order by l.recorded_at desc limit $5 offset $6`);
const COUNT_TRACK = statement(`
  select count(*) as total from (
    select from vehicle_locations l where ${WANTED} limit ${String(MAX_COUNTED + 1)}) counted`);

type LocationRow = Omit<VehicleLocationData, 'recorded_at' | 'received_at'> & { recorded_at: Date; received_at: Date };

interface LocationPage {
  locations: VehicleLocationData[];
  pagination: Page;
}

/** Where each vehicle was last, by vehicle_id. */
export async function listVehicleLocations(tx: TenantTransaction, { limit, offset }: Window): Promise<LocationPage> {
  const [rows, [count]] = await Promise.all([
    tx.query<LocationRow>(LATEST, [tx.clientId, limit, offset]),
    tx.query<{ total: number }>(COUNT_VEHICLES, [tx.clientId]),
  ]);
  return { locations: rows.map(viewOf), pagination: { total: count?.total ?? 0, limit, offset } };
}

/** Where one vehicle was, the newest first. */
export async function listVehicleTrack(
  tx: TenantTransaction,
  { vehicle_id, from, to, limit, offset }: ListVehicleTrackInput,
): Promise<LocationPage> {
  const moment = (text: string | undefined): Date | null => (text === undefined ? null : momentOf(text));
  const wanted = [tx.clientId, vehicle_id, moment(from), moment(to)];
  const [rows, [count]] = await Promise.all([
    tx.query<LocationRow>(TRACK, [...wanted, limit, offset]),
    tx.query<{ total: number }>(COUNT_TRACK, wanted),
  ]);
  return { locations: rows.map(viewOf), pagination: pageOf(count?.total ?? 0, { limit, offset }) };
}

function viewOf({ recorded_at, received_at, ...row }: LocationRow): VehicleLocationData {
  return { ...row, recorded_at: isoMoment(recorded_at), received_at: isoMoment(received_at) };
}
