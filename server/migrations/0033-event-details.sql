-- Events name who made a change, the fields that it changed, and what identified an object that was deleted. Rows that exist
-- have none of it.
alter table outbox
  add column user_name text,
  add column fields    text[],
  add column gone      jsonb;

-- Links that are removed with one of their objects are an update of the other one. A kind is named after the data types of
-- both ends: assetToProduct. The user is added at the end of the transaction (core/outbox/history.sql.ts).
create or replace function forget_links() returns trigger language plpgsql as $$
begin
  with removed as (
    delete from link where from_id in (select id from gone) or to_id in (select id from gone) returning kind, from_id, to_id
  )
  insert into outbox (object_id, data_type, event, action, fields)
  select distinct o.id, o.data_type, 'UPDATE', 'unlink', array['link']
  from removed r, lateral (
    values (r.from_id, split_part(r.kind, 'To', 1)), (r.to_id, lower(split_part(r.kind, 'To', 2)))
  ) as o (id, data_type)
  where o.id not in (select id from gone) order by o.id;
  return null;
end $$;
