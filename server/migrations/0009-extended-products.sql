-- Product extension objects that go with their product: their end is told like any other, though nobody named them. What
-- was named itself still has its product, and is told by whoever named it.
create function forget_peos() returns trigger language plpgsql as $$
begin
  with orphan as (
    select g.id, g.tid, g.name, g.product_id from gone g
    where not exists (select from product p where p.id = g.product_id)
  ), told as (
    insert into outbox (object_id, data_type, event) select id, 'peo', 'DELETE' from orphan order by id
  )
  insert into history (object_id, data_type, action, user_name, changes)
  select id, 'peo', 'delete', 'system', jsonb_build_object('tid', tid, 'name', name, 'productId', product_id)
  from orphan order by id;
  return null;
end $$;
create trigger peo_forgets after delete on peo
  referencing old table as gone for each statement execute function forget_peos();
