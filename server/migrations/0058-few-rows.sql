-- Statements that looked at a whole table for a few of its rows.

-- Each deletion looked at all links. An array of ids is found by index however many rows were expected when the plan was
-- made.
create or replace function forget_links() returns trigger language plpgsql as $$
begin
  with removed as (
    delete from link where id = any(array(
      select l.id from gone g, lateral (
        select id from link where from_id = g.id union all select id from link where to_id = g.id
      ) as l
    )) returning kind, from_id, to_id
  )
  insert into outbox (object_id, data_type, event, action, fields)
  select distinct o.id, o.data_type, 'UPDATE', 'unlink', array['link']
  from removed r, lateral (
    values (r.from_id, split_part(r.kind, 'To', 1)), (r.to_id, lower(split_part(r.kind, 'To', 2)))
  ) as o (id, data_type)
  where o.id not in (select id from gone) order by o.id;
  return null;
end $$;

-- Each round of a webhook looked at all its deliveries.
create index webhook_delivery_next on webhook_delivery (webhook_id, id) where state = 'waiting';
