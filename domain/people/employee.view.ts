import { isoMoment } from '../contracts/common.ts';
import type { EmployeeView } from '../contracts/people.ts';

/** The columns that {@link viewOf} turns into the wire form; days as text, since a `date` has no time zone. */
export const COLUMNS = `id, user_id, client_id, employee_number, first_name, last_name, email, department, job_title,
  manager_id, is_active, to_char(hired_on, 'YYYY-MM-DD') as hired_on,
  to_char(terminated_on, 'YYYY-MM-DD') as terminated_on, created_at, updated_at`;

export type EmployeeRow = Omit<EmployeeView, 'employee_id' | 'created_at' | 'updated_at'> & {
  created_at: Date;
  updated_at: Date;
};

export function viewOf(row: EmployeeRow): EmployeeView {
  return {
    id: row.id,
    employee_id: row.id,
    user_id: row.user_id,
    client_id: row.client_id,
    employee_number: row.employee_number,
    first_name: row.first_name,
    last_name: row.last_name,
    email: row.email,
    department: row.department,
    job_title: row.job_title,
    manager_id: row.manager_id,
    is_active: row.is_active,
    hired_on: row.hired_on,
    terminated_on: row.terminated_on,
    created_at: isoMoment(row.created_at),
    updated_at: isoMoment(row.updated_at),
  };
}
