-- Variation axes: the attributes that span the articles and variations of a category's products (colour × size).

create table variation_axes (
  node_id     bigint      primary key references node on delete cascade,
  -- those that span the articles of a product, and those that span the variations of an article
  articles    text[]      not null,
  variations  text[]      not null,
  modified_at timestamptz not null default now(),
  modified_by text        not null,
  check (cardinality(articles) + cardinality(variations) between 1 and 5)
);

-- The values that an article or a variation has on the axes: no two below the same parent have the same ones.
create table variation_key (
  product_id bigint not null primary key references product on delete cascade,
  parent_id  bigint not null,
  digest     text   not null,
  constraint variation_combination unique (parent_id, digest)
);

-- The axes of the node, or of the nearest node above that has any.
create function axes_of(node bigint, level smallint) returns text[] language sql stable as $$
  select case level when 1 then a.articles else a.variations end
  from variation_axes a join node up on up.id = a.node_id join node n on n.id = node
  where up.path = n.path or starts_with(n.path, up.path || '/')
  order by length(up.path) desc limit 1
$$;

-- An object without a value on any axis has no key: it is not a combination yet.
create view variation_combinations as
  select p.id as product_id, p.parent_id, md5(k.key::text) as digest
  from product p join product r on r.id = p.root_id
  cross join lateral (
    select jsonb_object_agg(axis, case when p.vals -> axis ? 'v' then p.vals -> axis -> 'v' else p.vals -> axis end) as key
    from unnest(axes_of(r.node_id, p.level)) axis where p.vals ? axis
  ) k
  where k.key is not null;

create function store_variation_keys(ids bigint[]) returns void language sql as $$
  delete from variation_key where product_id = any(ids);
  insert into variation_key (product_id, parent_id, digest)
  select product_id, parent_id, digest from variation_combinations where product_id = any(ids);
$$;

create function keep_variation_keys() returns trigger language plpgsql as $$
begin
  if not exists (select from variation_axes) then return null; end if;
  if tg_op = 'INSERT' then
    perform store_variation_keys(array(select id from changed where level > 0));
  else
    -- A product that moves to another category may have other axes there.
    perform store_variation_keys(array(
      select c.id from changed c join previous o on o.id = c.id
      where c.level > 0 and (c.vals <> o.vals or c.parent_id <> o.parent_id)
      union
      select m.id from changed c join previous o on o.id = c.id join product m on m.root_id = c.id
      where c.level = 0 and c.node_id <> o.node_id));
  end if;
  return null;
end $$;
create trigger product_axes_inserted after insert on product
  referencing new table as changed for each statement execute function keep_variation_keys();
create trigger product_axes_updated after update on product
  referencing old table as previous new table as changed for each statement execute function keep_variation_keys();
