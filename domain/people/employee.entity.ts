import { defineEntity, p } from '@mikro-orm/core';
import { column } from '../../platform/db/columns.ts';

/** A person on the client's payroll; the reporting tree is `manager_id` (decisions §1). */
export const Employee = defineEntity({
  name: 'Employee',
  tableName: 'employees',
  properties: {
    id: column.id(),
    client_id: column.clientId(),
    user_id: p.integer().nullable(),
    employee_number: p.text(),
    first_name: p.text(),
    last_name: p.text(),
    email: p.text().nullable(),
    department: p.text().nullable(),
    job_title: p.text().nullable(),
    manager_id: p.integer().nullable(),
    is_active: p.boolean().default(true),
    hired_on: p.date().nullable(),
    terminated_on: p.date().nullable(),
    created_at: column.createdAt(),
    updated_at: column.updatedAt(),
  },
  uniques: [{ name: 'employees_number_unique', properties: ['client_id', 'employee_number'] }],
  indexes: [
    { name: 'employees_manager_index', properties: ['client_id', 'manager_id', 'id', 'user_id'] },
    { name: 'employees_client_index', properties: ['client_id', 'id'] },
    { name: 'employees_user_index', properties: ['client_id', 'user_id'] },
  ],
});
