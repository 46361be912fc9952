-- Lists of products that people browse: finding by a part of the name or tid, and counting, without reading the products.
--
-- product_text has one narrow row per product. Changing a value of a product does not touch it, whereas an index on the
-- table of products would get a new entry for every change.
create table product_text (
  product_id bigint primary key,
  parent_id  bigint not null,
  -- name and tid in lower case, compared by bytes; no text that people type contains what stands between them
  key        text   collate "C" not null
);

-- How many products each node has: rows of one node are added up. Writers only add rows, so they never wait for each other;
-- a job merges the rows.
create table product_count (
  parent_id bigint  not null,
  count     integer not null
);

create function product_key(name text, tid text) returns text language sql immutable parallel safe
  return lower(name) || chr(1) || lower(tid);

create function list_products() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into product_text select id, parent_id, product_key(name, tid) from changed where level = 0;
    insert into product_count select parent_id, count(*) from changed where level = 0 group by parent_id;
  else
    delete from product_text t using changed c where t.product_id = c.id and c.level = 0;
    insert into product_count select parent_id, -count(*) from changed where level = 0 group by parent_id;
  end if;
  return null;
end $$;
create function relist_product() returns trigger language plpgsql as $$
begin
  update product_text set parent_id = new.parent_id, key = product_key(new.name, new.tid) where product_id = new.id;
  if new.parent_id <> old.parent_id then
    insert into product_count values (old.parent_id, -1), (new.parent_id, 1);
  end if;
  return null;
end $$;

create trigger product_listed after insert on product
  referencing new table as changed for each statement execute function list_products();
create trigger product_unlisted after delete on product
  referencing old table as changed for each statement execute function list_products();
create trigger product_relisted after update of name, tid, parent_id on product for each row
  when (new.level = 0 and (new.name, new.tid, new.parent_id) is distinct from (old.name, old.tid, old.parent_id))
  execute function relist_product();

insert into product_text select id, parent_id, product_key(name, tid) from product where level = 0;
insert into product_count select parent_id, count(*) from product where level = 0 group by parent_id;
create index product_text_parent on product_text (parent_id);

-- The extension is part of PostgreSQL, and the owner of a database may create it. Without it lists are searched row by row.
do $$
begin
  create extension if not exists pg_trgm;
  create index product_text_key on product_text using gin (key gin_trgm_ops) with (gin_pending_list_limit = 1024);
exception when insufficient_privilege or undefined_file or feature_not_supported then
  raise warning 'pg_trgm is not available: product lists of large catalogues are filtered slowly (%)', sqlerrm;
end $$;
analyze product_text;
analyze product_count;

-- Files are compressed where that pays, so PostgreSQL need not try it on every piece.
alter table transfer_piece alter column bytes set storage external;
