-- The objects to which a deleted object was linked have lost a link: their history says so too, not only their events.
create or replace function forget_links() returns trigger language plpgsql as $$
begin
  with removed as (
    delete from link where id = any(array(
      select l.id from gone g, lateral (
        select id from link where from_id = g.id union all select id from link where to_id = g.id
      ) as l
    )) returning id, kind, type, from_id, to_id
  ), left_behind as (
    select r.id as link, o.id, o.data_type,
      jsonb_build_object('link', jsonb_build_object('kind', r.kind, 'type', r.type, 'from', r.from_id, 'to', r.to_id)) as changes
    from removed r, lateral (
      values (r.from_id, split_part(r.kind, 'To', 1)), (r.to_id, lower(split_part(r.kind, 'To', 2)))
    ) as o (id, data_type)
    where o.id not in (select id from gone)
  ), told as (
    insert into outbox (object_id, data_type, event, action, fields)
    select id, data_type, 'UPDATE', 'unlink', array['link'] from left_behind order by id, link
  )
  insert into history (object_id, data_type, action, user_name, changes)
  select id, data_type, 'unlink', 'system', changes from left_behind order by id, link;
  return null;
end $$;
