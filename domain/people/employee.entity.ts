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
    /** As it is compared. */
    department_key: p.text().nullable().generated('(lower(department)) stored'),
    job_title: p.text().nullable(),
    manager_id: p.integer().nullable(),
    is_active: p.boolean().default(true),
    hired_on: p.date().nullable(),
    terminated_on: p.date().nullable(),
    created_at: column.createdAt(),
    updated_at: column.updatedAt(),
  },
  uniques: [
    { name: 'employees_number_unique', properties: ['client_id', 'employee_number'] },
    { name: 'employees_user_unique', properties: ['client_id', 'user_id'] },
  ],
  indexes: [
    { name: 'employees_manager_index', properties: ['client_id', 'manager_id', 'id', 'user_id'] },
    { name: 'employees_client_index', properties: ['client_id', 'id'] },
    { name: 'employees_department_index', properties: ['client_id', 'department_key', 'id'] },
    {
      name: 'employees_away_index',
      expression:
        'create index "employees_away_index" on "employees" ("client_id", "id") where not "is_active" or "terminated_on" is not null',
    },
    {
      name: 'employees_words_index',
      expression: `create index "employees_words_index" on "employees" using gin ("client_id", employee_words("first_name", "last_name", "employee_number", "email", "job_title") gin_trgm_ops)`,
    },
    {
      name: 'employees_made_number_index',
      expression: `create index "employees_made_number_index" on "employees" ("client_id", (substr("employee_number", 3)::bigint)) where "employee_number" ~ '^E-[0-9]{1,15}$'`,
    },
  ],
});
