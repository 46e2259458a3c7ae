/** Name of the user, API key or OAuth application that made audit entry `a`, as it is now; null for the platform itself. */
export const ACTOR_NAME = 'coalesce(u.name, k.display_name, k.key_name, o.name)';

/** What {@link ACTOR_NAME} is read from, by primary keys; `$1` is the client. Users, keys and applications are never removed. */
export const ACTORS = `
  left join users u on u.client_id = $1 and u.id = case a.actor_type when 'user' then a.actor_id::int end
  left join api_keys k on k.client_id = $1 and k.id = case a.actor_type when 'api_key' then a.actor_id::int end
  left join oauth_applications o
    on o.client_id = $1 and o.id = case a.actor_type when 'oauth_application' then a.actor_id::int end`;
