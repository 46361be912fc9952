-- The schema after the last migration, for reading. Written by `npm run db:schema`; never edited, never run.

create extension pg_trgm;

create sequence object_id_seq as bigint start 1000 increment 1;

CREATE OR REPLACE FUNCTION public.attr_group_rights()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if exists (select from grant_attr_group) then perform pg_notify('kontor_identity', 'roles'); end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.axes_of(node bigint, level smallint)
 RETURNS text[]
 LANGUAGE sql
 STABLE
AS $function$
  select case level when 1 then a.articles else a.variations end
  from variation_axes a join node up on up.id = a.node_id join node n on n.id = node
  where up.path = n.path or starts_with(n.path, up.path || '/')
  order by length(up.path) desc limit 1
$function$;

CREATE OR REPLACE FUNCTION public.chain_audit_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  last audit_event;
  field text;
  chained bytea;
  moment timestamptz;
begin
  perform pg_advisory_xact_lock(hashtext('audit_event'));
  select * into last from audit_event order by seq desc limit 1;
  moment := date_trunc('milliseconds', clock_timestamp());
  if date_trunc('month', new.at, 'UTC') = date_trunc('month', moment, 'UTC') then
    new.at := moment;
  elsif new.at is null or new.at not between moment - interval '1 hour' and moment then
    raise exception 'the time of an audit event is set by the database';
  end if;
  new.seq := coalesce(last.seq, 0) + 1;
  new.previous := coalesce(last.hash, decode(repeat('00', 32), 'hex'));
  chained := new.previous;
  foreach field in array array[new.seq::text, (extract(epoch from new.at) * 1000)::bigint::text, new.actor, new.client,
    new.session, new.address, new.action, new.object, new.outcome, new.detail, new.support_id]
  loop
    chained := chained || convert_to(octet_length(field) || ':' || field, 'UTF8');
  end loop;
  new.hash := sha256(chained);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.end_within()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update user_session set ended_at = new.ended_at where parent_id = new.id and ended_at is null;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_links()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.forget_peos()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.has_forbidden(forbidden boolean, translations jsonb)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN (forbidden OR jsonb_path_exists(translations, '$.*."forbidden"?(@ == true)'::jsonpath));

CREATE OR REPLACE FUNCTION public.keep_identifiers()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from attr_def where type = 'identifier') then return null; end if;
  if tg_op = 'UPDATE' then
    delete from identifier_value i using changed c
    where i.product_id = c.id and not exists (
      select from identifier_key k cross join value_texts(c.vals -> k.key) as text
      where k.attribute = i.attribute and text = i.value);
  end if;
  insert into identifier_value (attribute, value, product_id)
  select distinct k.attribute, text, c.id
  from changed c join identifier_key k on c.vals ? k.key cross join value_texts(c.vals -> k.key) as text
  on conflict do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_unique_values()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from attr_def where definition -> 'format' ->> 'unique' = 'true') then return null; end if;
  if tg_op = 'UPDATE' then
    delete from unique_value u using changed c
    where u.product_id = c.id and not exists (
      select from unique_key k cross join value_texts(c.vals -> k.key) as text
      where k.attribute = u.attribute and text = u.value);
  end if;
  insert into unique_value (attribute, value, product_id)
  select distinct k.attribute, text, c.id
  from changed c join unique_key k on c.vals ? k.key cross join value_texts(c.vals -> k.key) as text
  where not exists (
    select from unique_value u where u.attribute = k.attribute and u.value = text and u.product_id = c.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.keep_variation_keys()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION public.list_products()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into product_text select id, parent_id, product_key(name, tid) from changed where level = 0;
    insert into product_count select parent_id, count(*) from changed where level = 0 group by parent_id;
  else
    delete from product_text t using changed c where t.product_id = c.id and c.level = 0;
    insert into product_count select parent_id, -count(*) from changed where level = 0 group by parent_id;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.move_scopes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update grant_scope s set path = n.path from was o join now_is n on n.id = o.id
  where s.tree = tg_argv[0] and s.path = o.path and o.path <> n.path;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.name_key(name text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select coalesce(string_agg(word, ' ' order by word collate "C"), '')
  from regexp_split_to_table(
    regexp_replace(lower(normalize(name, NFKD)), '[\u0300-\u036f]', '', 'g'), '[^[:alnum:]]+') as word
  where word <> ''
$function$;

CREATE OR REPLACE FUNCTION public.notify_outbox()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_setting('kontor.tells', true) is distinct from 'true' then
    perform pg_notify('outbox', '');
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.outbox_xid()
 RETURNS xid8
 LANGUAGE plpgsql
AS $function$
begin
  return greatest(pg_current_xact_id(), (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8);
end $function$;

CREATE OR REPLACE FUNCTION public.pim_model_changes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update pim_model set version = version + 1, xid = pg_current_xact_id();
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.pim_model_forgets()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into pim_model_gone (id, version) select gone.id, m.version from gone, pim_model m
  on conflict (id) do update set version = excluded.version;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.pim_model_stamp()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.version := (select version from pim_model);
  return new;
end $function$;

CREATE OR REPLACE FUNCTION public.product_key(name text, tid text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
RETURN ((lower(name) || chr(1)) || lower(tid));

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception 'the audit log is only ever added to';
end $function$;

CREATE OR REPLACE FUNCTION public.relist_product()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update product_text set parent_id = new.parent_id, key = product_key(new.name, new.tid) where product_id = new.id;
  if new.parent_id <> old.parent_id then
    insert into product_count values (old.parent_id, -1), (new.parent_id, 1);
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.store_variation_keys(ids bigint[])
 RETURNS void
 LANGUAGE sql
AS $function$
  delete from variation_key where product_id = any(ids);
  insert into variation_key (product_id, parent_id, digest)
  select product_id, parent_id, digest from variation_combinations where product_id = any(ids);
$function$;

CREATE OR REPLACE FUNCTION public.tell_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('kontor_identity', tg_argv[0] || ' ' || coalesce(new.id, old.id));
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.tell_table()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('kontor_identity', tg_argv[0]);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.value_texts(stored jsonb)
 RETURNS SETOF text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select distinct text #>> '{}' from jsonb_path_query(
    case when stored ? 'v' and stored ? 'tags' then stored -> 'v' else stored end,
    'strict $.** ? (@.type() == "string")') as text
$function$;

CREATE OR REPLACE FUNCTION public.words_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_table_name = 'glossary_entry' then
    if not exists (select from changed where has_forbidden(forbidden, translations)) then
      -- The enforcement cannot change until the commit, which a writer of the glossary then waits for.
      perform from glossary where id in (select glossary_id from changed where type = 'term' and translations <> '{}') for share;
      -- without a glossary: it was deleted with its entries
      if not exists (
        select from changed c left join glossary g on g.id = c.glossary_id
        where c.type = 'term' and c.translations <> '{}' and g.enforcement is distinct from 'off'
      ) then return null; end if;
    end if;
  end if;
  perform pg_advisory_xact_lock(hashtext('pim_model'));
  update pim_model set version = version + 1, words_version = version + 1, xid = pg_current_xact_id();
  return null;
end $function$;

create table asset_preview (
  asset_id bigint not null,
  format text not null,
  source text not null,
  sha256 text not null,
  size bigint not null,
  mime text not null,
  width integer not null,
  height integer not null,
  constraint asset_preview_pkey PRIMARY KEY (asset_id, format),
  constraint asset_preview_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES dam_entry(id) ON DELETE CASCADE,
  constraint asset_preview_format_check CHECK ((format ~ '^(thumbnail|preview|fullsize|page-[1-9][0-9]?)$'::text)),
  constraint asset_preview_sha256_fkey FOREIGN KEY (sha256) REFERENCES blob(sha256)
);
CREATE INDEX asset_preview_sha256 ON public.asset_preview USING btree (sha256);

create table asset_usage (
  asset_id bigint not null,
  licence text,
  holder text,
  credit_line text,
  releases text[] default '{}'::text[] not null,
  territories text[] default '{}'::text[] not null,
  channels text[] default '{}'::text[] not null,
  media text[] default '{}'::text[] not null,
  valid_from timestamp with time zone,
  valid_until timestamp with time zone,
  embargo_until timestamp with time zone,
  override_until timestamp with time zone,
  override_by text,
  override_reason text,
  warned smallint,
  turned_at timestamp with time zone default now() not null,
  constraint asset_usage_pkey PRIMARY KEY (asset_id),
  constraint asset_usage_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES dam_entry(id) ON DELETE CASCADE,
  constraint asset_usage_override CHECK ((((override_until IS NULL) = (override_by IS NULL)) AND ((override_by IS NULL) = (override_reason IS NULL)))),
  constraint asset_usage_period CHECK ((valid_from <= valid_until)),
  constraint asset_usage_warned_check CHECK ((warned = ANY (ARRAY[30, 7, 1])))
);
CREATE INDEX asset_usage_until ON public.asset_usage USING btree (valid_until) WHERE (valid_until IS NOT NULL);

create table asset_version (
  id bigint default nextval('object_id_seq'::regclass) not null,
  tid text not null,
  asset_id bigint not null,
  name text not null,
  type text not null,
  sha256 text not null,
  size bigint not null,
  mime text not null,
  width integer,
  height integer,
  comment text,
  timeout_at timestamp with time zone,
  protected_after timestamp with time zone,
  protected_before timestamp with time zone,
  file_date timestamp with time zone not null,
  file_user text not null,
  created_at timestamp with time zone default now() not null,
  created_by text not null,
  usage jsonb,
  constraint asset_version_pkey PRIMARY KEY (id),
  constraint asset_version_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES dam_entry(id) ON DELETE CASCADE,
  constraint asset_version_sha256_fkey FOREIGN KEY (sha256) REFERENCES blob(sha256),
  constraint asset_version_tid_key UNIQUE (tid)
);
CREATE INDEX asset_version_asset ON public.asset_version USING btree (asset_id, id);
CREATE INDEX asset_version_sha256 ON public.asset_version USING btree (sha256);
CREATE INDEX asset_version_timeout ON public.asset_version USING btree (timeout_at) WHERE (timeout_at IS NOT NULL);

create table attr_def (
  id bigint default nextval('object_id_seq'::regclass) not null,
  tid text not null,
  type text not null,
  localized boolean default false not null,
  multi boolean default false not null,
  definition jsonb default '{}'::jsonb not null,
  version bigint not null,
  created_at timestamp with time zone default now() not null,
  created_by text not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  group_tid text generated always as (((definition -> 'group'::text) ->> 'tid'::text)) stored,
  constraint attr_def_pkey PRIMARY KEY (id),
  constraint attr_def_group_tid_fkey FOREIGN KEY (group_tid) REFERENCES attr_group(tid),
  constraint attr_def_tid_check CHECK ((tid <> ''::text)),
  constraint attr_def_tid_key UNIQUE (tid),
  constraint attr_def_type_check CHECK ((type = ANY (ARRAY['text'::text, 'number'::text, 'date'::text, 'boolean'::text, 'ref'::text, 'table'::text, 'identifier'::text, 'measure'::text, 'price'::text, 'richtext'::text])))
);
CREATE INDEX attr_def_group ON public.attr_def USING btree (group_tid) WHERE (group_tid IS NOT NULL);
CREATE INDEX attr_def_unique ON public.attr_def USING btree (tid) WHERE (((definition -> 'format'::text) ->> 'unique'::text) = 'true'::text);
CREATE INDEX attr_def_version ON public.attr_def USING btree (version);
CREATE TRIGGER attr_def_changes BEFORE INSERT OR DELETE OR UPDATE ON public.attr_def FOR EACH STATEMENT EXECUTE FUNCTION pim_model_changes();
CREATE TRIGGER attr_def_forgets AFTER DELETE ON public.attr_def REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION pim_model_forgets();
CREATE TRIGGER attr_def_rights AFTER INSERT OR DELETE OR UPDATE ON public.attr_def FOR EACH STATEMENT EXECUTE FUNCTION attr_group_rights();
CREATE TRIGGER attr_def_stamp BEFORE INSERT OR UPDATE ON public.attr_def FOR EACH ROW EXECUTE FUNCTION pim_model_stamp();

create table attr_group (
  id bigint default nextval('object_id_seq'::regclass) not null,
  tid text not null,
  name jsonb default '{}'::jsonb not null,
  pos integer default 0 not null,
  version bigint not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint attr_group_pkey PRIMARY KEY (id),
  constraint attr_group_tid_check CHECK ((tid <> ''::text)),
  constraint attr_group_tid_key UNIQUE (tid)
);
CREATE INDEX attr_group_version ON public.attr_group USING btree (version);
CREATE TRIGGER attr_group_changes BEFORE INSERT OR DELETE OR UPDATE ON public.attr_group FOR EACH STATEMENT EXECUTE FUNCTION pim_model_changes();
CREATE TRIGGER attr_group_forgets AFTER DELETE ON public.attr_group REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION pim_model_forgets();
CREATE TRIGGER attr_group_stamp BEFORE INSERT OR UPDATE ON public.attr_group FOR EACH ROW EXECUTE FUNCTION pim_model_stamp();

create table audit_event (
  seq bigint not null,
  at timestamp with time zone default date_trunc('milliseconds'::text, clock_timestamp()) not null,
  actor text not null,
  client text not null,
  session text not null,
  address text not null,
  action text not null,
  object text not null,
  outcome text not null,
  detail text not null,
  support_id text not null,
  previous bytea not null,
  hash bytea not null,
  constraint audit_event_outcome_check CHECK ((outcome = ANY (ARRAY['success'::text, 'failure'::text])))
) partition by RANGE (at);
CREATE INDEX audit_event_by_action ON ONLY public.audit_event USING btree (action, seq);
CREATE INDEX audit_event_by_actor ON ONLY public.audit_event USING btree (actor, seq);
CREATE INDEX audit_event_by_time ON ONLY public.audit_event USING btree (at);
CREATE TRIGGER chain BEFORE INSERT ON public.audit_event FOR EACH ROW EXECUTE FUNCTION chain_audit_event();
CREATE TRIGGER keep BEFORE DELETE OR UPDATE ON public.audit_event FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER keep_all BEFORE TRUNCATE ON public.audit_event FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

create table blob (
  sha256 text not null,
  size bigint not null,
  touched_at timestamp with time zone default now() not null,
  scan text,
  scanned_at timestamp with time zone,
  scan_claim timestamp with time zone,
  threat text,
  held text,
  fault text,
  fault_at timestamp with time zone,
  read_at timestamp with time zone,
  tier text default 'main'::text not null,
  wanted_tier text,
  wanted_by text,
  used_at timestamp with time zone,
  constraint blob_pkey PRIMARY KEY (sha256),
  constraint blob_fault_check CHECK ((fault = ANY (ARRAY['missing'::text, 'damaged'::text, 'unreadable'::text]))),
  constraint blob_held_check CHECK ((held = ANY (ARRAY['unchecked'::text, 'infected'::text, 'tooLarge'::text]))),
  constraint blob_scan_check CHECK ((scan = ANY (ARRAY['waiting'::text, 'clean'::text, 'infected'::text, 'tooLarge'::text, 'released'::text]))),
  constraint blob_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint blob_size_check CHECK ((size >= 0)),
  constraint blob_tier_check CHECK ((tier = ANY (ARRAY['main'::text, 'archive'::text]))),
  constraint blob_wanted_tier_check CHECK ((wanted_tier = ANY (ARRAY['main'::text, 'archive'::text])))
);
CREATE INDEX blob_archive ON public.blob USING btree (sha256) WHERE ((tier = 'archive'::text) OR (wanted_tier IS NOT NULL));
CREATE INDEX blob_care ON public.blob USING btree (sha256) WHERE ((held IS NOT NULL) OR (fault IS NOT NULL));
CREATE INDEX blob_read ON public.blob USING btree (read_at NULLS FIRST, sha256);
CREATE INDEX blob_scan_waiting ON public.blob USING btree (touched_at) WHERE (scan = 'waiting'::text);
CREATE INDEX blob_touched ON public.blob USING btree (touched_at);

create table briefing (
  project_id bigint not null,
  config_tid text default ''::text not null,
  locale text default ''::text not null,
  layouts jsonb not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint briefing_pkey PRIMARY KEY (project_id, config_tid, locale),
  constraint briefing_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
);

create table bulk_change (
  id uuid default gen_random_uuid() not null,
  kind text not null,
  name text,
  operations jsonb not null,
  user_name text not null,
  principal jsonb not null,
  state text default 'ready'::text not null,
  dry boolean default true not null,
  total bigint default 0 not null,
  "position" bigint default 0 not null,
  undo_position bigint default 0 not null,
  processed bigint default 0 not null,
  changed bigint default 0 not null,
  unchanged bigint default 0 not null,
  refused bigint default 0 not null,
  undone bigint default 0 not null,
  undo_refused bigint default 0 not null,
  rights text,
  problem text,
  created_at timestamp with time zone default now() not null,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  rule_id bigint,
  rule text,
  constraint bulk_change_pkey PRIMARY KEY (id),
  constraint bulk_change_kind_check CHECK ((kind = ANY (ARRAY['product'::text, 'asset'::text]))),
  constraint bulk_change_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES rule(id) ON DELETE SET NULL,
  constraint bulk_change_state_check CHECK ((state = ANY (ARRAY['ready'::text, 'previewing'::text, 'previewed'::text, 'running'::text, 'finished'::text, 'failed'::text, 'cancelled'::text, 'undoing'::text, 'undone'::text])))
);
CREATE INDEX bulk_change_created ON public.bulk_change USING btree (created_at);
CREATE INDEX bulk_change_rule ON public.bulk_change USING btree (rule_id, created_at);

create table bulk_change_item (
  change_id uuid not null,
  number bigint not null,
  tid text not null,
  name text,
  status text,
  reason text,
  changes jsonb,
  undo text,
  undo_reason text,
  detail jsonb,
  constraint bulk_change_item_pkey PRIMARY KEY (change_id, number),
  constraint bulk_change_item_change_id_fkey FOREIGN KEY (change_id) REFERENCES bulk_change(id) ON DELETE CASCADE,
  constraint bulk_change_item_change_id_tid_key UNIQUE (change_id, tid),
  constraint bulk_change_item_status_check CHECK ((status = ANY (ARRAY['changed'::text, 'unchanged'::text, 'refused'::text]))),
  constraint bulk_change_item_undo_check CHECK ((undo = ANY (ARRAY['undone'::text, 'refused'::text])))
);

create table bulk_chunk (
  run_id uuid not null,
  number integer not null,
  items json not null,
  records json,
  constraint bulk_chunk_pkey PRIMARY KEY (run_id, number),
  constraint bulk_chunk_run_id_fkey FOREIGN KEY (run_id) REFERENCES bulk_run(id) ON DELETE CASCADE
);

create table bulk_run (
  id uuid default gen_random_uuid() not null,
  resource text not null,
  verb text,
  user_name text not null,
  principal jsonb not null,
  state text default 'receiving'::text not null,
  total bigint default 0 not null,
  processed bigint default 0 not null,
  problem text,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint bulk_run_pkey PRIMARY KEY (id),
  constraint bulk_run_state_check CHECK ((state = ANY (ARRAY['receiving'::text, 'waiting'::text, 'running'::text, 'finished'::text, 'failed'::text]))),
  constraint bulk_run_verb_check CHECK ((verb = ANY (ARRAY['persist'::text, 'perform'::text])))
);
CREATE INDEX bulk_run_created ON public.bulk_run USING btree (created_at);

create table channel_picture (
  project_id bigint not null,
  role text not null,
  count smallint not null,
  constraint channel_picture_pkey PRIMARY KEY (project_id, role),
  constraint channel_picture_count_check CHECK (((count >= 1) AND (count <= 100))),
  constraint channel_picture_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE,
  constraint channel_picture_role_check CHECK ((length(role) <= 255))
);

create table channel_quality (
  project_id bigint not null,
  checks jsonb not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint channel_quality_pkey PRIMARY KEY (project_id),
  constraint channel_quality_checks_check CHECK (((jsonb_typeof(checks) = 'array'::text) AND ((jsonb_array_length(checks) >= 1) AND (jsonb_array_length(checks) <= 200)))),
  constraint channel_quality_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
);

create table channel_requirement (
  project_id bigint not null,
  locales text[],
  attributes text[],
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint channel_requirement_pkey PRIMARY KEY (project_id),
  constraint channel_requirement_attributes_check CHECK ((cardinality(attributes) > 0)),
  constraint channel_requirement_check CHECK (((locales IS NOT NULL) OR (attributes IS NOT NULL))),
  constraint channel_requirement_locales_check CHECK ((cardinality(locales) > 0)),
  constraint channel_requirement_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
);

create table classification (
  id bigint default nextval('object_id_seq'::regclass) not null,
  tid text not null,
  name jsonb default '{}'::jsonb not null,
  version bigint not null,
  created_at timestamp with time zone default now() not null,
  created_by text not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint classification_pkey PRIMARY KEY (id),
  constraint classification_tid_check CHECK (((tid <> ''::text) AND (tid !~ '/'::text))),
  constraint classification_tid_key UNIQUE (tid)
);
CREATE INDEX classification_version ON public.classification USING btree (version);
CREATE TRIGGER classification_changes BEFORE INSERT OR DELETE OR UPDATE ON public.classification FOR EACH STATEMENT EXECUTE FUNCTION pim_model_changes();
CREATE TRIGGER classification_forgets AFTER DELETE ON public.classification REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION pim_model_forgets();
CREATE TRIGGER classification_stamp BEFORE INSERT OR UPDATE ON public.classification FOR EACH ROW EXECUTE FUNCTION pim_model_stamp();

create table collection (
  id bigint not null,
  name text not null,
  description text,
  user_name text not null,
  users text[] default '{}'::text[] not null,
  roles text[] default '{}'::text[] not null,
  search jsonb,
  search_id bigint,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint collection_pkey PRIMARY KEY (id),
  constraint collection_name_check CHECK (((name <> ''::text) AND (length(name) <= 255))),
  constraint collection_search CHECK (((search IS NULL) = (search_id IS NULL)))
);
CREATE INDEX collection_name ON public.collection USING btree (lower(name), id);

create table collection_asset (
  collection_id bigint not null,
  asset_id bigint not null,
  pos integer not null,
  constraint collection_asset_pkey PRIMARY KEY (collection_id, asset_id),
  constraint collection_asset_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES dam_entry(id) ON DELETE CASCADE,
  constraint collection_asset_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES collection(id) ON DELETE CASCADE
);
CREATE INDEX collection_asset_asset ON public.collection_asset USING btree (asset_id);

create table dam_attr_def (
  id bigint default nextval('object_id_seq'::regclass) not null,
  tid text not null,
  type text not null,
  localized boolean default false not null,
  multi boolean default false not null,
  definition jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  created_by text not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint dam_attr_def_pkey PRIMARY KEY (id),
  constraint dam_attr_def_tid_check CHECK ((tid <> ''::text)),
  constraint dam_attr_def_tid_key UNIQUE (tid),
  constraint dam_attr_def_type_check CHECK ((type = ANY (ARRAY['text'::text, 'number'::text, 'date'::text, 'boolean'::text, 'ref'::text, 'table'::text, 'identifier'::text, 'measure'::text, 'price'::text, 'richtext'::text])))
);

create table dam_entry (
  id bigint default nextval('object_id_seq'::regclass) not null,
  kind text not null,
  tid text not null,
  rnc_id bigint not null,
  parent_id bigint,
  name text not null,
  name_key text not null,
  path text,
  path_key text,
  meta jsonb default '[]'::jsonb not null,
  vals jsonb default '{}'::jsonb not null,
  type text,
  sha256 text,
  size bigint,
  mime text,
  width integer,
  height integer,
  embedded jsonb default '{}'::jsonb not null,
  import_status text,
  locked_by text,
  locked_at timestamp with time zone,
  variation_of bigint,
  variation_type text,
  deleted_at timestamp with time zone,
  deleted_by text,
  deleted_with bigint,
  created_at timestamp with time zone default now() not null,
  created_by text not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  address_epoch integer default 0 not null,
  constraint dam_entry_pkey PRIMARY KEY (id),
  constraint dam_entry_check CHECK ((((kind = 'dir'::text) AND (path IS NOT NULL) AND (path_key IS NOT NULL) AND (num_nonnulls(type, sha256, variation_of) = 0)) OR ((kind = 'asset'::text) AND (path IS NULL) AND (path_key IS NULL) AND (num_nulls(type, sha256, size, mime, import_status) = 0)))),
  constraint dam_entry_check1 CHECK (((locked_by IS NULL) = (locked_at IS NULL))),
  constraint dam_entry_check2 CHECK (((variation_of IS NULL) = (variation_type IS NULL))),
  constraint dam_entry_import_status_check CHECK ((import_status = ANY (ARRAY['pending'::text, 'running'::text, 'available'::text, 'incomplete'::text]))),
  constraint dam_entry_kind_check CHECK ((kind = ANY (ARRAY['dir'::text, 'asset'::text]))),
  constraint dam_entry_name_check CHECK (((name <> ''::text) AND (name !~ '/'::text))),
  constraint dam_entry_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES dam_entry(id) DEFERRABLE INITIALLY DEFERRED,
  constraint dam_entry_path_key_check CHECK ((octet_length(path_key) <= 2000)),
  constraint dam_entry_rnc_id_fkey FOREIGN KEY (rnc_id) REFERENCES rnc(id),
  constraint dam_entry_sha256_fkey FOREIGN KEY (sha256) REFERENCES blob(sha256),
  constraint dam_entry_tid_check CHECK ((tid <> ''::text)),
  constraint dam_entry_type_check CHECK ((type = ANY (ARRAY['IMG'::text, 'VID'::text, 'AUD'::text, 'PDF'::text, 'OFFICE'::text, 'PREPRESS'::text, 'DOC'::text, 'LAYOUT'::text, 'C360'::text, 'C3D'::text, 'FILE'::text]))),
  constraint dam_entry_variation_of_fkey FOREIGN KEY (variation_of) REFERENCES dam_entry(id) DEFERRABLE INITIALLY DEFERRED,
  constraint dam_entry_variation_type_fkey FOREIGN KEY (variation_type) REFERENCES variation_type(tid)
);
CREATE INDEX dam_entry_deleted_with ON public.dam_entry USING btree (deleted_with) WHERE (deleted_with IS NOT NULL);
CREATE INDEX dam_entry_file ON public.dam_entry USING btree (name_key) WHERE (kind = 'asset'::text);
CREATE INDEX dam_entry_locked ON public.dam_entry USING btree (parent_id) WHERE (locked_by IS NOT NULL);
CREATE INDEX dam_entry_modified ON public.dam_entry USING btree (modified_at) WHERE (kind = 'asset'::text);
CREATE UNIQUE INDEX dam_entry_name ON public.dam_entry USING btree (COALESCE(parent_id, rnc_id), name_key) WHERE (deleted_at IS NULL);
CREATE INDEX dam_entry_parent ON public.dam_entry USING btree (parent_id, kind, id);
CREATE INDEX dam_entry_path ON public.dam_entry USING btree (path_key COLLATE "C") WHERE ((path_key IS NOT NULL) AND (deleted_at IS NULL));
CREATE INDEX dam_entry_sha256 ON public.dam_entry USING btree (sha256) WHERE (sha256 IS NOT NULL);
CREATE UNIQUE INDEX dam_entry_tid ON public.dam_entry USING btree (tid, kind) WHERE (deleted_at IS NULL);
CREATE INDEX dam_entry_top ON public.dam_entry USING btree (rnc_id, id) WHERE (parent_id IS NULL);
CREATE INDEX dam_entry_trash ON public.dam_entry USING btree (deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX dam_entry_variation ON public.dam_entry USING btree (variation_of) WHERE (variation_of IS NOT NULL);
CREATE INDEX dam_entry_variation_type ON public.dam_entry USING btree (variation_type) WHERE (variation_type IS NOT NULL);
CREATE TRIGGER dam_entry_links AFTER DELETE ON public.dam_entry REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_links();

create table external_logout (
  issuer text not null,
  jti text not null,
  subject text,
  session text,
  issued_at timestamp with time zone not null,
  received_at timestamp with time zone default now() not null,
  constraint external_logout_pkey PRIMARY KEY (issuer, jti),
  constraint external_logout_check CHECK (((subject IS NOT NULL) OR (session IS NOT NULL)))
);
CREATE INDEX external_logout_received ON public.external_logout USING btree (received_at);
CREATE INDEX external_logout_session ON public.external_logout USING btree (session, issued_at) WHERE (session IS NOT NULL);
CREATE INDEX external_logout_subject ON public.external_logout USING btree (subject, issued_at) WHERE (session IS NULL);
CREATE TRIGGER tell_others AFTER INSERT ON public.external_logout FOR EACH STATEMENT EXECUTE FUNCTION tell_table('session');

create table feed (
  id bigint not null,
  name text not null,
  definition jsonb not null,
  secrets bytea,
  enabled boolean not null,
  user_name text not null,
  principal jsonb not null,
  address bytea,
  problem text,
  next_at timestamp with time zone,
  transfer_id uuid,
  created_at timestamp with time zone default now() not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint feed_pkey PRIMARY KEY (id),
  constraint feed_name_check CHECK (((name <> ''::text) AND (length(name) <= 255))),
  constraint feed_name_key UNIQUE (name),
  constraint feed_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfer(id) ON DELETE SET NULL
);
CREATE INDEX feed_due ON public.feed USING btree (next_at) WHERE enabled;
CREATE INDEX feed_transfer ON public.feed USING btree (transfer_id);

create table feed_run (
  id bigint generated always as identity not null,
  feed_id bigint not null,
  due_at timestamp with time zone,
  started_by text,
  state text default 'running'::text not null,
  step text default 'begin'::text not null,
  transfer_id uuid,
  file text,
  file_print text,
  items bigint,
  previous_items bigint,
  changed bigint,
  refused bigint,
  size bigint,
  attempts integer default 0 not null,
  retry_at timestamp with time zone,
  problem text,
  decided_by text,
  series text,
  series_xid xid8,
  series_transfer uuid,
  series_shape text,
  series_headings text[],
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint feed_run_pkey PRIMARY KEY (id),
  constraint feed_run_feed_id_due_at_key UNIQUE (feed_id, due_at),
  constraint feed_run_feed_id_file_print_key UNIQUE (feed_id, file_print),
  constraint feed_run_feed_id_fkey FOREIGN KEY (feed_id) REFERENCES feed(id) ON DELETE CASCADE,
  constraint feed_run_state_check CHECK ((state = ANY (ARRAY['running'::text, 'held'::text, 'finished'::text, 'failed'::text, 'discarded'::text]))),
  constraint feed_run_step_check CHECK ((step = ANY (ARRAY['begin'::text, 'transfer'::text, 'deliver'::text]))),
  constraint feed_run_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfer(id) ON DELETE SET NULL
);
CREATE INDEX feed_run_ended ON public.feed_run USING btree (ended_at);
CREATE INDEX feed_run_newest ON public.feed_run USING btree (feed_id, id);
CREATE UNIQUE INDEX feed_run_pending ON public.feed_run USING btree (feed_id) WHERE (state = ANY (ARRAY['running'::text, 'held'::text]));
CREATE INDEX feed_run_transfer ON public.feed_run USING btree (transfer_id);

create table feed_series_item (
  run_id bigint not null,
  tid text not null,
  digest bytea,
  linked boolean not null,
  constraint feed_series_item_pkey PRIMARY KEY (run_id, tid),
  constraint feed_series_item_run_id_fkey FOREIGN KEY (run_id) REFERENCES feed_run(id) ON DELETE CASCADE
);

create table file_analysis (
  sha256 text not null,
  colours text[] default '{}'::text[] not null,
  colour_values text[] default '{}'::text[] not null,
  hash bit(64),
  note text,
  analysed_at timestamp with time zone default now() not null,
  peaks smallint[],
  constraint file_analysis_pkey PRIMARY KEY (sha256),
  constraint file_analysis_colours CHECK ((cardinality(colours) = cardinality(colour_values))),
  constraint file_analysis_sha256_fkey FOREIGN KEY (sha256) REFERENCES blob(sha256) ON DELETE CASCADE
);

create table file_page (
  sha256 text not null,
  page integer not null,
  text text not null,
  constraint file_page_pkey PRIMARY KEY (sha256, page),
  constraint file_page_page_check CHECK ((page > 0)),
  constraint file_page_sha256_fkey FOREIGN KEY (sha256) REFERENCES file_analysis(sha256) ON DELETE CASCADE
);

create table film_copy (
  source text not null,
  holder text not null,
  progress smallint,
  note text,
  changed_at timestamp with time zone default now() not null,
  constraint film_copy_pkey PRIMARY KEY (source),
  constraint film_copy_progress_check CHECK (((progress >= 0) AND (progress <= 100))),
  constraint film_copy_source_fkey FOREIGN KEY (source) REFERENCES blob(sha256) ON DELETE CASCADE
);
CREATE INDEX film_copy_holder ON public.film_copy USING btree (holder) WHERE (note IS NULL);

create table glossary (
  id bigint default nextval('object_id_seq'::regclass) not null,
  tid text default (gen_random_uuid())::text not null,
  name text not null,
  meta jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  created_by text not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  enforcement text default 'off'::text not null,
  constraint glossary_pkey PRIMARY KEY (id),
  constraint glossary_enforcement_check CHECK ((enforcement = ANY (ARRAY['off'::text, 'warn'::text, 'refuse'::text]))),
  constraint glossary_name_key UNIQUE (name) DEFERRABLE,
  constraint glossary_tid_key UNIQUE (tid)
);
CREATE TRIGGER glossary_enforcement AFTER UPDATE OF enforcement ON public.glossary FOR EACH ROW WHEN ((new.enforcement IS DISTINCT FROM old.enforcement)) EXECUTE FUNCTION words_change();
CREATE TRIGGER glossary_links AFTER DELETE ON public.glossary REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_links();

create table glossary_entry (
  id bigint default nextval('object_id_seq'::regclass) not null,
  tid text default (gen_random_uuid())::text not null,
  glossary_id bigint not null,
  type text not null,
  loc text not null,
  value text not null,
  forbidden boolean default false not null,
  meta jsonb default '[]'::jsonb not null,
  translations jsonb default '{}'::jsonb not null,
  edited_at timestamp with time zone default now() not null,
  edited_by text not null,
  constraint glossary_entry_pkey PRIMARY KEY (id),
  constraint glossary_entry_glossary_id_fkey FOREIGN KEY (glossary_id) REFERENCES glossary(id) ON DELETE CASCADE,
  constraint glossary_entry_tid_key UNIQUE (tid),
  constraint glossary_entry_type_check CHECK ((type = ANY (ARRAY['sentence'::text, 'term'::text]))),
  constraint glossary_entry_value_check CHECK ((value <> ''::text))
);
CREATE INDEX glossary_entry_glossary ON public.glossary_entry USING btree (glossary_id, id);
CREATE TRIGGER glossary_entry_links AFTER DELETE ON public.glossary_entry REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_links();
CREATE TRIGGER glossary_entry_words_after AFTER UPDATE ON public.glossary_entry REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION words_change();
CREATE TRIGGER glossary_entry_words_before AFTER UPDATE ON public.glossary_entry REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION words_change();
CREATE TRIGGER glossary_entry_words_deleted AFTER DELETE ON public.glossary_entry REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION words_change();
CREATE TRIGGER glossary_entry_words_inserted AFTER INSERT ON public.glossary_entry REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION words_change();

create table grant_attr_group (
  grant_id bigint not null,
  tid text not null,
  constraint grant_attr_group_pkey PRIMARY KEY (grant_id, tid),
  constraint grant_attr_group_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES role_grant(id) ON DELETE CASCADE,
  constraint grant_attr_group_tid_fkey FOREIGN KEY (tid) REFERENCES attr_group(tid)
);
CREATE INDEX grant_attr_group_tid ON public.grant_attr_group USING btree (tid);

create table grant_scope (
  grant_id bigint not null,
  tree text not null,
  path text not null,
  constraint grant_scope_pkey PRIMARY KEY (grant_id, tree, path),
  constraint grant_scope_grant_id_fkey FOREIGN KEY (grant_id) REFERENCES role_grant(id) ON DELETE CASCADE,
  constraint grant_scope_path_check CHECK ((path ~ '^/.*[^/]$'::text)),
  constraint grant_scope_tree_check CHECK ((tree = ANY (ARRAY['node'::text, 'dir'::text, 'channel'::text, 'keyword'::text])))
);
CREATE INDEX grant_scope_path ON public.grant_scope USING btree (tree, path);
CREATE TRIGGER tell_others AFTER INSERT OR DELETE OR UPDATE ON public.grant_scope FOR EACH STATEMENT EXECUTE FUNCTION tell_table('roles');

create table group_member (
  group_name text not null,
  user_id uuid not null,
  constraint group_member_pkey PRIMARY KEY (group_name, user_id),
  constraint group_member_group_name_fkey FOREIGN KEY (group_name) REFERENCES user_group(name) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint group_member_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE
);
CREATE INDEX group_member_user ON public.group_member USING btree (user_id);

create table group_role (
  group_name text not null,
  role text not null,
  constraint group_role_pkey PRIMARY KEY (group_name, role),
  constraint group_role_group_name_fkey FOREIGN KEY (group_name) REFERENCES user_group(name) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint group_role_role_fkey FOREIGN KEY (role) REFERENCES role(name) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX group_role_role ON public.group_role USING btree (role);
CREATE TRIGGER tell_others AFTER INSERT OR DELETE OR UPDATE ON public.group_role FOR EACH STATEMENT EXECUTE FUNCTION tell_table('roles');

create table history (
  id bigint generated always as identity not null,
  object_id bigint not null,
  data_type text not null,
  action text not null,
  at timestamp with time zone default now() not null,
  user_name text not null,
  changes jsonb default '{}'::jsonb not null,
  rule text
) partition by RANGE (at);
CREATE INDEX history_of_object ON ONLY public.history USING btree (object_id, id);

create table idempotency_key (
  user_name text not null,
  key text not null,
  request text not null,
  reply jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_key_pkey PRIMARY KEY (user_name, key)
);
CREATE INDEX idempotency_key_created ON public.idempotency_key USING btree (created_at);

create table identifier_value (
  attribute text not null,
  value text not null,
  product_id bigint not null,
  constraint identifier_value_pkey PRIMARY KEY (attribute, value, product_id),
  constraint identifier_value_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(id) ON DELETE CASCADE
);
CREATE INDEX identifier_value_product ON public.identifier_value USING btree (product_id);

create table keyword (
  id bigint default nextval('object_id_seq'::regclass) not null,
  parent_id bigint,
  name text not null,
  path text not null,
  names jsonb default '{}'::jsonb not null,
  meta jsonb default '[]'::jsonb not null,
  order_number bigint default 0 not null,
  created_at timestamp with time zone default now() not null,
  created_by text not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint keyword_pkey PRIMARY KEY (id),
  constraint keyword_check CHECK (((path ~ '^/'::text) AND ("right"(path, (length(name) + 1)) = ('/'::text || name)))),
  constraint keyword_name_check CHECK (((name <> ''::text) AND (name !~ '/'::text))),
  constraint keyword_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES keyword(id) DEFERRABLE INITIALLY DEFERRED,
  constraint keyword_path_key UNIQUE (path) DEFERRABLE,
  constraint keyword_path_length CHECK ((octet_length(path) <= 2000)),
  constraint keyword_path_levels CHECK (((length(path) - length(replace(path, '/'::text, ''::text))) <= 64))
);
CREATE INDEX keyword_parent ON public.keyword USING btree (parent_id, order_number);
CREATE INDEX keyword_subtree ON public.keyword USING btree (path COLLATE "C");
CREATE TRIGGER keyword_links AFTER DELETE ON public.keyword REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_links();
CREATE TRIGGER keyword_scopes AFTER UPDATE ON public.keyword REFERENCING OLD TABLE AS was NEW TABLE AS now_is FOR EACH STATEMENT EXECUTE FUNCTION move_scopes('keyword');

create table known_network (
  user_id uuid not null,
  network text not null,
  seen_at timestamp with time zone default now() not null,
  constraint known_network_pkey PRIMARY KEY (user_id, network),
  constraint known_network_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE
);
CREATE INDEX known_network_seen ON public.known_network USING btree (seen_at);

create table link (
  id bigint default nextval('object_id_seq'::regclass) not null,
  kind text not null,
  type text default ''::text not null,
  from_id bigint not null,
  to_id bigint not null,
  pos bigint,
  created_at timestamp with time zone default now() not null,
  created_by text not null,
  quantity numeric,
  constraint link_pkey PRIMARY KEY (id),
  constraint link_from_id_kind_to_id_type_key UNIQUE (from_id, kind, to_id, type),
  constraint link_quantity_check CHECK ((quantity > (0)::numeric))
);
CREATE INDEX link_relation ON public.link USING btree (type, from_id) WHERE ((kind = 'productToProduct'::text) AND (type <> ''::text));
CREATE INDEX link_to ON public.link USING btree (to_id, kind);

create table locale (
  id bigint generated by default as identity not null,
  tid text generated always as (((language || '_'::text) || country)) stored not null,
  language text not null,
  country text not null,
  name text not null,
  content boolean default true not null,
  frontend boolean default false not null,
  source boolean default false not null,
  constraint locale_pkey PRIMARY KEY (id),
  constraint locale_country_check CHECK ((country ~ '^[A-Z]{2,3}$'::text)),
  constraint locale_language_check CHECK ((language ~ '^[a-z]{2,3}$'::text)),
  constraint locale_tid_key UNIQUE (tid)
);
CREATE UNIQUE INDEX locale_source ON public.locale USING btree (source) WHERE source;
CREATE TRIGGER locale_words AFTER INSERT OR DELETE OR UPDATE OF source, content ON public.locale FOR EACH STATEMENT EXECUTE FUNCTION words_change();

create table message (
  id bigint default nextval('object_id_seq'::regclass) not null,
  tid text default (gen_random_uuid())::text not null,
  created_at timestamp with time zone default now() not null,
  subject text not null,
  body text not null,
  severity text,
  recipient_user text,
  recipient_role text,
  sender_user text not null,
  sender_application text,
  sender_plugin text,
  parameters jsonb default '{}'::jsonb not null,
  constraint message_pkey PRIMARY KEY (id),
  constraint message_check CHECK (((recipient_user IS NOT NULL) OR (recipient_role IS NOT NULL))),
  constraint message_severity_check CHECK ((severity = ANY (ARRAY['INFO'::text, 'WARN'::text, 'ERROR'::text]))),
  constraint message_tid_key UNIQUE (tid)
);
CREATE INDEX message_role ON public.message USING btree (recipient_role, id) WHERE (recipient_role IS NOT NULL);
CREATE INDEX message_user ON public.message USING btree (recipient_user, id) WHERE (recipient_role IS NULL);

create table message_read (
  message_id bigint not null,
  user_name text not null,
  read_at timestamp with time zone default now() not null,
  constraint message_read_pkey PRIMARY KEY (message_id, user_name),
  constraint message_read_message_id_fkey FOREIGN KEY (message_id) REFERENCES message(id) ON DELETE CASCADE
);

create table node (
  id bigint default nextval('object_id_seq'::regclass) not null,
  classification_id bigint not null,
  parent_id bigint,
  tid text not null,
  name jsonb default '{}'::jsonb not null,
  path text not null,
  "position" bigint default 0 not null,
  version bigint not null,
  created_at timestamp with time zone default now() not null,
  created_by text not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint node_pkey PRIMARY KEY (id),
  constraint node_check CHECK ((("right"(path, (length(tid) + 1)) = ('/'::text || tid)) AND ((parent_id IS NOT NULL) OR (path = ('/'::text || tid))))),
  constraint node_classification_id_fkey FOREIGN KEY (classification_id) REFERENCES classification(id),
  constraint node_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES node(id) DEFERRABLE INITIALLY DEFERRED,
  constraint node_path_check CHECK ((octet_length(path) <= 2000)),
  constraint node_path_key UNIQUE (path) DEFERRABLE,
  constraint node_tid_check CHECK (((tid <> ''::text) AND (tid !~ '/'::text)))
);
CREATE INDEX node_classification ON public.node USING btree (classification_id);
CREATE INDEX node_parent ON public.node USING btree (parent_id, "position");
CREATE UNIQUE INDEX node_root ON public.node USING btree (classification_id) WHERE (parent_id IS NULL);
CREATE INDEX node_subtree ON public.node USING btree (path COLLATE "C");
CREATE INDEX node_version ON public.node USING btree (version);
CREATE TRIGGER node_changes BEFORE INSERT OR DELETE OR UPDATE ON public.node FOR EACH STATEMENT EXECUTE FUNCTION pim_model_changes();
CREATE TRIGGER node_forgets AFTER DELETE ON public.node REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION pim_model_forgets();
CREATE TRIGGER node_scopes AFTER UPDATE ON public.node REFERENCING OLD TABLE AS was NEW TABLE AS now_is FOR EACH STATEMENT EXECUTE FUNCTION move_scopes('node');
CREATE TRIGGER node_stamp BEFORE INSERT OR UPDATE ON public.node FOR EACH ROW EXECUTE FUNCTION pim_model_stamp();

create table node_attribute (
  id bigint default nextval('object_id_seq'::regclass) not null,
  node_id bigint not null,
  attr_def_id bigint not null,
  level text,
  inheritance text,
  restriction text,
  option text,
  cardinality integer,
  default_val jsonb,
  domain_vals jsonb,
  domain_range jsonb,
  version bigint not null,
  created_at timestamp with time zone default now() not null,
  created_by text not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint node_attribute_pkey PRIMARY KEY (id),
  constraint node_attribute_attr_def_id_fkey FOREIGN KEY (attr_def_id) REFERENCES attr_def(id),
  constraint node_attribute_cardinality_check CHECK ((cardinality >= 1)),
  constraint node_attribute_inheritance_check CHECK ((inheritance = ANY (ARRAY['visible'::text, 'not_visible'::text]))),
  constraint node_attribute_level_check CHECK (((level ~ '^p?a?v?$'::text) AND (level <> ''::text))),
  constraint node_attribute_node_id_attr_def_id_key UNIQUE (node_id, attr_def_id),
  constraint node_attribute_node_id_fkey FOREIGN KEY (node_id) REFERENCES node(id),
  constraint node_attribute_option_check CHECK ((option = ANY (ARRAY['READONLY'::text, 'OVERWRITE'::text, 'SYNCHRONIZED'::text]))),
  constraint node_attribute_restriction_check CHECK ((restriction = ANY (ARRAY['optional'::text, 'required'::text, 'mandatory'::text])))
);
CREATE INDEX node_attribute_definition ON public.node_attribute USING btree (attr_def_id);
CREATE INDEX node_attribute_version ON public.node_attribute USING btree (version);
CREATE TRIGGER node_attribute_changes BEFORE INSERT OR DELETE OR UPDATE ON public.node_attribute FOR EACH STATEMENT EXECUTE FUNCTION pim_model_changes();
CREATE TRIGGER node_attribute_forgets AFTER DELETE ON public.node_attribute REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION pim_model_forgets();
CREATE TRIGGER node_attribute_stamp BEFORE INSERT OR UPDATE ON public.node_attribute FOR EACH ROW EXECUTE FUNCTION pim_model_stamp();

create table offline_session (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  client_id text not null,
  scope text not null,
  session_id uuid,
  generation integer default 0 not null,
  authenticated_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  used_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint offline_session_pkey PRIMARY KEY (id),
  constraint offline_session_client_id_fkey FOREIGN KEY (client_id) REFERENCES oidc_client(id) ON DELETE CASCADE,
  constraint offline_session_session_id_fkey FOREIGN KEY (session_id) REFERENCES user_session(id) ON DELETE SET NULL,
  constraint offline_session_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE
);
CREATE INDEX offline_session_client ON public.offline_session USING btree (client_id);
CREATE INDEX offline_session_session ON public.offline_session USING btree (session_id);
CREATE INDEX offline_session_used ON public.offline_session USING btree (used_at);
CREATE INDEX offline_session_user ON public.offline_session USING btree (user_id, used_at) WHERE (ended_at IS NULL);

create table oidc_client (
  id text not null,
  name text,
  secret_hash bytea,
  service_user uuid,
  redirect_uris text[] default '{}'::text[] not null,
  enabled boolean default true not null,
  created_at timestamp with time zone default now() not null,
  constraint oidc_client_pkey PRIMARY KEY (id),
  constraint oidc_client_check CHECK (((secret_hash IS NULL) = (service_user IS NULL))),
  constraint oidc_client_id_check CHECK ((id ~ '^[\x21-\x7e]{1,255}$'::text)),
  constraint oidc_client_service_user_fkey FOREIGN KEY (service_user) REFERENCES user_account(id)
);
CREATE INDEX oidc_client_service_user ON public.oidc_client USING btree (service_user) WHERE (service_user IS NOT NULL);

create table oidc_model (
  model text not null,
  id_hash bytea not null,
  uid text,
  account_id uuid,
  payload json not null,
  expires_at timestamp with time zone not null,
  consumed_at timestamp with time zone,
  constraint oidc_model_pkey PRIMARY KEY (model, id_hash),
  constraint oidc_model_account_id_fkey FOREIGN KEY (account_id) REFERENCES user_account(id) ON DELETE CASCADE
);
CREATE INDEX oidc_model_account ON public.oidc_model USING btree (account_id) WHERE (account_id IS NOT NULL);
CREATE INDEX oidc_model_expires ON public.oidc_model USING btree (expires_at);
CREATE INDEX oidc_model_uid ON public.oidc_model USING btree (uid) WHERE (uid IS NOT NULL);

create table outbox (
  seq bigint generated always as identity not null,
  xid xid8 default outbox_xid() not null,
  object_id bigint not null,
  data_type text not null,
  event text not null,
  at timestamp with time zone default now() not null,
  action text,
  user_name text,
  fields text[],
  gone jsonb,
  writer xid8 default pg_current_xact_id(),
  constraint outbox_event_check CHECK ((event = ANY (ARRAY['CREATE'::text, 'UPDATE'::text, 'DELETE'::text])))
) partition by RANGE (at);
CREATE INDEX outbox_by_xid ON ONLY public.outbox USING btree (xid, seq);
CREATE TRIGGER outbox_notify AFTER INSERT ON public.outbox FOR EACH STATEMENT EXECUTE FUNCTION notify_outbox();

create table outbox_consumer (
  name text not null,
  xid xid8 not null,
  seen_at timestamp with time zone default now() not null,
  constraint outbox_consumer_pkey PRIMARY KEY (name),
  constraint outbox_consumer_name_check CHECK ((name <> ''::text))
);

create table outbox_floor (
  single boolean default true not null,
  xid xid8 default '0'::xid8 not null,
  constraint outbox_floor_pkey PRIMARY KEY (single),
  constraint outbox_floor_single_check CHECK (single)
);

create table peo (
  id bigint default nextval('object_id_seq'::regclass) not null,
  tid text not null,
  name text not null,
  product_id bigint not null,
  template_id bigint not null,
  is_default boolean default false not null,
  meta jsonb default '[]'::jsonb not null,
  vals jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  created_by text not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint peo_pkey PRIMARY KEY (id),
  constraint peo_name_check CHECK ((name <> ''::text)),
  constraint peo_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(id) ON DELETE CASCADE,
  constraint peo_template_id_fkey FOREIGN KEY (template_id) REFERENCES peo_template(id),
  constraint peo_tid_check CHECK ((tid <> ''::text)),
  constraint peo_tid_key UNIQUE (tid)
);
CREATE INDEX peo_modified ON public.peo USING btree (modified_at);
CREATE INDEX peo_name ON public.peo USING btree (name);
CREATE INDEX peo_product ON public.peo USING btree (product_id, id);
CREATE INDEX peo_template_id ON public.peo USING btree (template_id);
CREATE TRIGGER peo_forgets AFTER DELETE ON public.peo REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_peos();
CREATE TRIGGER peo_links AFTER DELETE ON public.peo REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_links();

create table peo_template (
  id bigint default nextval('object_id_seq'::regclass) not null,
  tid text not null,
  name text not null,
  attributes jsonb default '{}'::jsonb not null,
  meta jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  created_by text not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint peo_template_pkey PRIMARY KEY (id),
  constraint peo_template_name_check CHECK ((name <> ''::text)),
  constraint peo_template_tid_check CHECK ((tid <> ''::text)),
  constraint peo_template_tid_key UNIQUE (tid)
);

create table personal_token (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  name text not null,
  kind text not null,
  session_id uuid,
  offline_session_id uuid,
  created_at timestamp with time zone default now() not null,
  used_at timestamp with time zone,
  used_from text,
  constraint personal_token_pkey PRIMARY KEY (id),
  constraint personal_token_check CHECK ((num_nonnulls(session_id, offline_session_id) = 1)),
  constraint personal_token_kind_check CHECK ((kind = ANY (ARRAY['access'::text, 'offline'::text]))),
  constraint personal_token_name_check CHECK (((name <> ''::text) AND (length(name) <= 255))),
  constraint personal_token_offline_session_id_fkey FOREIGN KEY (offline_session_id) REFERENCES offline_session(id) ON DELETE CASCADE,
  constraint personal_token_offline_session_id_key UNIQUE (offline_session_id),
  constraint personal_token_session_id_fkey FOREIGN KEY (session_id) REFERENCES user_session(id) ON DELETE CASCADE,
  constraint personal_token_session_id_key UNIQUE (session_id),
  constraint personal_token_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE
);
CREATE INDEX personal_token_user ON public.personal_token USING btree (user_id, created_at);

create table pim_model (
  single boolean default true not null,
  version bigint not null,
  xid xid8 not null,
  words_version bigint default 1 not null,
  constraint pim_model_pkey PRIMARY KEY (single),
  constraint pim_model_single_check CHECK (single)
);

create table pim_model_gone (
  id bigint not null,
  version bigint not null,
  constraint pim_model_gone_pkey PRIMARY KEY (id)
);
CREATE INDEX pim_model_gone_version ON public.pim_model_gone USING btree (version);

create unlogged table presence (
  object_id bigint not null,
  user_name text not null,
  editing boolean default false not null,
  seen_at timestamp with time zone default now() not null,
  constraint presence_pkey PRIMARY KEY (object_id, user_name)
);
CREATE INDEX presence_seen ON public.presence USING btree (seen_at);

create table product (
  id bigint default nextval('object_id_seq'::regclass) not null,
  level smallint not null,
  tid text not null,
  root_id bigint,
  parent_id bigint not null,
  node_id bigint,
  name text not null,
  vals jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  created_by text not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  value_modified_at timestamp with time zone default now() not null,
  constraint product_pkey PRIMARY KEY (id),
  constraint product_check CHECK (
CASE level
    WHEN 0 THEN ((root_id IS NULL) AND (node_id IS NOT NULL) AND (node_id = parent_id))
    ELSE ((root_id IS NOT NULL) AND (node_id IS NULL))
END),
  constraint product_level_check CHECK (((level >= 0) AND (level <= 2))),
  constraint product_name UNIQUE (parent_id, name) DEFERRABLE,
  constraint product_name_check CHECK ((name <> ''::text)),
  constraint product_node_id_fkey FOREIGN KEY (node_id) REFERENCES node(id),
  constraint product_root_id_fkey FOREIGN KEY (root_id) REFERENCES product(id) ON DELETE CASCADE,
  constraint product_tid UNIQUE (tid, level) INCLUDE (id, parent_id),
  constraint product_tid_check CHECK ((tid <> ''::text))
) with (toast_tuple_target=8160);
CREATE INDEX product_by_name ON public.product USING btree (name, id) INCLUDE (parent_id) WHERE (level = 0);
CREATE INDEX product_modified ON public.product USING btree (modified_at, id) INCLUDE (parent_id) WHERE (level = 0);
CREATE INDEX product_node ON public.product USING btree (node_id) WHERE (node_id IS NOT NULL);
CREATE INDEX product_tree ON public.product USING btree (root_id, level, id) WHERE (root_id IS NOT NULL);
CREATE TRIGGER product_axes_inserted AFTER INSERT ON public.product REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_variation_keys();
CREATE TRIGGER product_axes_updated AFTER UPDATE ON public.product REFERENCING OLD TABLE AS previous NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_variation_keys();
CREATE TRIGGER product_identifiers_inserted AFTER INSERT ON public.product REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_identifiers();
CREATE TRIGGER product_identifiers_updated AFTER UPDATE ON public.product REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_identifiers();
CREATE TRIGGER product_links AFTER DELETE ON public.product REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_links();
CREATE TRIGGER product_listed AFTER INSERT ON public.product REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION list_products();
CREATE TRIGGER product_relisted AFTER UPDATE OF name, tid, parent_id ON public.product FOR EACH ROW WHEN (((new.level = 0) AND (((new.name IS DISTINCT FROM old.name) OR (new.tid IS DISTINCT FROM old.tid)) OR (new.parent_id IS DISTINCT FROM old.parent_id)))) EXECUTE FUNCTION relist_product();
CREATE TRIGGER product_unique_inserted AFTER INSERT ON public.product REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_unique_values();
CREATE TRIGGER product_unique_updated AFTER UPDATE ON public.product REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION keep_unique_values();
CREATE TRIGGER product_unlisted AFTER DELETE ON public.product REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION list_products();

create table product_count (
  parent_id bigint not null,
  count integer not null
);

create table product_text (
  product_id bigint not null,
  parent_id bigint not null,
  key text collate "C" not null,
  constraint product_text_pkey PRIMARY KEY (product_id)
);
CREATE INDEX product_text_alike ON public.product_text USING btree (name_key(split_part(key, chr(1), 1)), product_id);
CREATE INDEX product_text_key ON public.product_text USING gin (key gin_trgm_ops) WITH (gin_pending_list_limit='1024');
CREATE INDEX product_text_parent ON public.product_text USING btree (parent_id);
CREATE INDEX product_text_tid ON public.product_text USING btree (split_part(key, chr(1), 2));

create table project (
  id bigint default nextval('object_id_seq'::regclass) not null,
  tid text not null,
  parent_id bigint,
  type_id bigint not null,
  name text not null,
  path text not null,
  order_sequence bigint not null,
  meta jsonb default '[]'::jsonb not null,
  vals jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  created_by text not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint project_pkey PRIMARY KEY (id),
  constraint project_name UNIQUE NULLS NOT DISTINCT (parent_id, name) DEFERRABLE,
  constraint project_name_check CHECK ((name <> ''::text)),
  constraint project_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES project(id) DEFERRABLE INITIALLY DEFERRED,
  constraint project_path_check CHECK ((path ~ '^/'::text)),
  constraint project_path_length CHECK ((octet_length(path) <= 2000)),
  constraint project_path_levels CHECK (((length(path) - length(replace(path, '/'::text, ''::text))) <= 64)),
  constraint project_tid_check CHECK (((tid <> ''::text) AND (tid !~ '/'::text))),
  constraint project_tid_key UNIQUE (tid),
  constraint project_type_id_fkey FOREIGN KEY (type_id) REFERENCES project_type(id)
);
CREATE INDEX project_order ON public.project USING btree (parent_id, order_sequence, id);
CREATE INDEX project_subtree ON public.project USING btree (path COLLATE "C");
CREATE INDEX project_type_id ON public.project USING btree (type_id);
CREATE TRIGGER project_links AFTER DELETE ON public.project REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_links();
CREATE TRIGGER project_scopes AFTER UPDATE ON public.project REFERENCING OLD TABLE AS was NEW TABLE AS now_is FOR EACH STATEMENT EXECUTE FUNCTION move_scopes('channel');

create table project_type (
  id bigint default nextval('object_id_seq'::regclass) not null,
  tid text not null,
  name jsonb default '{}'::jsonb not null,
  attr_defs jsonb default '[]'::jsonb not null,
  config jsonb default '{}'::jsonb not null,
  meta jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  created_by text not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint project_type_pkey PRIMARY KEY (id),
  constraint project_type_tid_check CHECK ((tid <> ''::text)),
  constraint project_type_tid_key UNIQUE (tid)
);

create table readiness_day (
  project_id bigint not null,
  locale text not null,
  day date not null,
  required bigint not null,
  missing bigint not null,
  constraint readiness_day_pkey PRIMARY KEY (project_id, locale, day),
  constraint readiness_day_check CHECK (((missing >= 0) AND (missing <= required))),
  constraint readiness_day_project_id_fkey FOREIGN KEY (project_id) REFERENCES project(id) ON DELETE CASCADE
);
CREATE INDEX readiness_day_day ON public.readiness_day USING btree (day);

create table recovery_code (
  user_id uuid not null,
  hash bytea not null,
  used_at timestamp with time zone,
  constraint recovery_code_pkey PRIMARY KEY (user_id, hash),
  constraint recovery_code_user_id_fkey FOREIGN KEY (user_id) REFERENCES second_factor(user_id) ON DELETE CASCADE
);

create table refresh_chain (
  id uuid default gen_random_uuid() not null,
  session_id uuid not null,
  generation integer default 0 not null,
  rotated_at timestamp with time zone,
  constraint refresh_chain_pkey PRIMARY KEY (id),
  constraint refresh_chain_session_id_fkey FOREIGN KEY (session_id) REFERENCES user_session(id) ON DELETE CASCADE
);
CREATE INDEX refresh_chain_session ON public.refresh_chain USING btree (session_id);

create table relation_type (
  id bigint default nextval('object_id_seq'::regclass) not null,
  tid text not null,
  label jsonb default '{}'::jsonb not null,
  inverse jsonb default '{}'::jsonb not null,
  sources smallint[] default '{0,1,2}'::smallint[] not null,
  targets smallint[] default '{0,1,2}'::smallint[] not null,
  quantity boolean default false not null,
  pos integer default 0 not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text default 'system'::text not null,
  constraint relation_type_pkey PRIMARY KEY (id),
  constraint relation_type_sources_check CHECK (((sources <@ '{0,1,2}'::smallint[]) AND (cardinality(sources) > 0))),
  constraint relation_type_targets_check CHECK (((targets <@ '{0,1,2}'::smallint[]) AND (cardinality(targets) > 0))),
  constraint relation_type_tid_check CHECK ((tid ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'::text)),
  constraint relation_type_tid_key UNIQUE (tid)
);

create table rendition (
  source text not null,
  recipe text not null,
  sha256 text,
  size bigint,
  mime text,
  width integer,
  height integer,
  made_until timestamp with time zone,
  used_at timestamp with time zone default now() not null,
  constraint rendition_pkey PRIMARY KEY (source, recipe),
  constraint rendition_check CHECK (((sha256 IS NULL) OR ((size IS NOT NULL) AND (mime IS NOT NULL) AND (width IS NOT NULL) AND (height IS NOT NULL)))),
  constraint rendition_check1 CHECK (((sha256 IS NULL) = (made_until IS NOT NULL)))
);
CREATE INDEX rendition_sha256 ON public.rendition USING btree (sha256);
CREATE INDEX rendition_used ON public.rendition USING btree (used_at);

create table rendition_profile (
  tid text not null,
  settings jsonb not null,
  epoch integer default floor((random() * (1000000000)::double precision)) not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint rendition_profile_pkey PRIMARY KEY (tid),
  constraint rendition_profile_tid_check CHECK ((tid ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'::text))
);

create table reported_roles (
  user_id uuid not null,
  client_id text not null,
  roles text[] not null,
  reported_at timestamp with time zone not null,
  groups text[] default '{}'::text[] not null,
  constraint reported_roles_pkey PRIMARY KEY (user_id, client_id),
  constraint reported_roles_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE
);

create table rnc (
  id bigint default nextval('object_id_seq'::regclass) not null,
  tid text not null,
  name text not null,
  settings jsonb default '{}'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  created_by text not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint rnc_pkey PRIMARY KEY (id),
  constraint rnc_tid_check CHECK (((tid <> ''::text) AND (tid !~ '/'::text))),
  constraint rnc_tid_key UNIQUE (tid)
);
CREATE UNIQUE INDEX rnc_key ON public.rnc USING btree (lower(tid));

create table role (
  name text not null,
  description text not null,
  constraint role_pkey PRIMARY KEY (name),
  constraint role_name_check CHECK ((name ~ '^[a-z][a-z0-9_-]{0,63}$'::text))
);

create table role_grant (
  id bigint generated always as identity not null,
  role text not null,
  kind text not null,
  actions text[] not null,
  visible_attributes jsonb,
  editable_attributes jsonb,
  visible_locales jsonb,
  editable_locales jsonb,
  narrowed text[] default '{}'::text[] not null,
  constraint role_grant_pkey PRIMARY KEY (id),
  constraint role_grant_actions_check CHECK ((cardinality(actions) > 0)),
  constraint role_grant_role_fkey FOREIGN KEY (role) REFERENCES role(name) ON UPDATE CASCADE ON DELETE CASCADE
);
CREATE INDEX role_grant_role ON public.role_grant USING btree (role);
CREATE TRIGGER tell_others AFTER INSERT OR DELETE OR UPDATE ON public.role_grant FOR EACH STATEMENT EXECUTE FUNCTION tell_table('roles');

create unlogged table role_trial (
  id uuid default gen_random_uuid() not null,
  roles text[] not null,
  grants jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint role_trial_pkey PRIMARY KEY (id)
);

create table rule (
  id bigint not null,
  name text not null,
  kind text not null,
  definition jsonb not null,
  reads text[] not null,
  writes text[] not null,
  enabled boolean not null,
  on_change boolean not null,
  user_name text not null,
  principal jsonb not null,
  problem text,
  next_at timestamp with time zone,
  "position" text,
  created_at timestamp with time zone default now() not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint rule_pkey PRIMARY KEY (id),
  constraint rule_kind_check CHECK ((kind = ANY (ARRAY['product'::text, 'asset'::text]))),
  constraint rule_name_check CHECK (((name <> ''::text) AND (length(name) <= 255))),
  constraint rule_name_key UNIQUE (name)
);

create table schema_migration (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migration_pkey PRIMARY KEY (number)
);

create table scrub_finding (
  run_id bigint not null,
  sha256 text not null,
  size bigint not null,
  fault text not null,
  is_repaired boolean default false not null,
  found_at timestamp with time zone default now() not null,
  constraint scrub_finding_pkey PRIMARY KEY (run_id, sha256),
  constraint scrub_finding_fault_check CHECK ((fault = ANY (ARRAY['missing'::text, 'damaged'::text, 'unreadable'::text]))),
  constraint scrub_finding_run_id_fkey FOREIGN KEY (run_id) REFERENCES scrub_run(id) ON DELETE CASCADE
);

create table scrub_run (
  id bigint generated always as identity not null,
  started_at timestamp with time zone default now() not null,
  started_by text not null,
  ended_at timestamp with time zone,
  "position" text default ''::text not null,
  claimed_until timestamp with time zone,
  files bigint default 0 not null,
  bytes bigint default 0 not null,
  missing bigint default 0 not null,
  damaged bigint default 0 not null,
  unreadable bigint default 0 not null,
  repaired bigint default 0 not null,
  unreferenced bigint default 0 not null,
  constraint scrub_run_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX scrub_run_open ON public.scrub_run USING btree ((true)) WHERE (ended_at IS NULL);

create table search_alert (
  search_id bigint not null,
  frequency text not null,
  principal jsonb not null,
  seen bigint[],
  due_at timestamp with time zone not null,
  constraint search_alert_pkey PRIMARY KEY (search_id),
  constraint search_alert_frequency_check CHECK ((frequency = ANY (ARRAY['atOnce'::text, 'daily'::text]))),
  constraint search_alert_search_id_fkey FOREIGN KEY (search_id) REFERENCES stored_search(id) ON DELETE CASCADE
);
CREATE INDEX search_alert_due ON public.search_alert USING btree (due_at);

create table search_configuration (
  id bigint default nextval('object_id_seq'::regclass) not null,
  identifier text not null,
  index_name text not null,
  content jsonb not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint search_configuration_pkey PRIMARY KEY (id),
  constraint search_configuration_identifier_check CHECK (((identifier <> ''::text) AND (length(identifier) <= 255))),
  constraint search_configuration_identifier_key UNIQUE (identifier)
);

create table search_history (
  id bigint default nextval('object_id_seq'::regclass) not null,
  user_name text not null,
  context text default ''::text not null,
  text text not null,
  used_at timestamp with time zone default now() not null,
  constraint search_history_pkey PRIMARY KEY (id),
  constraint search_history_text UNIQUE (user_name, context, text),
  constraint search_history_text_check CHECK ((text <> ''::text))
);
CREATE INDEX search_history_used ON public.search_history USING btree (user_name, context, used_at DESC);

create table search_index (
  name text not null,
  updates_enabled boolean not null,
  constraint search_index_pkey PRIMARY KEY (name),
  constraint search_index_name_check CHECK ((name <> ''::text))
);

create table second_factor (
  user_id uuid not null,
  sealed bytea not null,
  last_step bigint default 0 not null,
  created_at timestamp with time zone default now() not null,
  confirmed_at timestamp with time zone,
  constraint second_factor_pkey PRIMARY KEY (user_id),
  constraint second_factor_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE
);

create table share (
  id bigint not null,
  kind text not null,
  digest text not null,
  title text not null,
  settings jsonb not null,
  password_hash text,
  collection_id bigint,
  user_name text not null,
  principal jsonb not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  received integer default 0 not null,
  notified_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  constraint share_pkey PRIMARY KEY (id),
  constraint share_collection_id_fkey FOREIGN KEY (collection_id) REFERENCES collection(id) ON DELETE SET NULL,
  constraint share_digest_key UNIQUE (digest),
  constraint share_kind_check CHECK ((kind = ANY (ARRAY['download'::text, 'upload'::text])))
);
CREATE INDEX share_collection ON public.share USING btree (collection_id) WHERE (collection_id IS NOT NULL);
CREATE INDEX share_user ON public.share USING btree (user_name, id);

create table share_asset (
  share_id bigint not null,
  asset_id bigint not null,
  pos integer not null,
  constraint share_asset_pkey PRIMARY KEY (share_id, asset_id),
  constraint share_asset_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES dam_entry(id) ON DELETE CASCADE,
  constraint share_asset_share_id_fkey FOREIGN KEY (share_id) REFERENCES share(id) ON DELETE CASCADE
);
CREATE INDEX share_asset_asset ON public.share_asset USING btree (asset_id);

create table share_file (
  id bigint not null,
  share_id bigint not null,
  name text not null,
  sha256 text not null,
  size bigint not null,
  mime text not null,
  received_at timestamp with time zone default now() not null,
  constraint share_file_pkey PRIMARY KEY (id),
  constraint share_file_sha256_fkey FOREIGN KEY (sha256) REFERENCES blob(sha256),
  constraint share_file_share_id_fkey FOREIGN KEY (share_id) REFERENCES share(id) ON DELETE CASCADE,
  constraint share_file_share_id_name_sha256_key UNIQUE (share_id, name, sha256)
);
CREATE INDEX share_file_sha256 ON public.share_file USING btree (sha256);
CREATE INDEX share_file_share ON public.share_file USING btree (share_id, id);

create table share_visit (
  id bigint generated always as identity not null,
  share_id bigint not null,
  at timestamp with time zone default now() not null,
  event text not null,
  what text,
  address text not null,
  constraint share_visit_pkey PRIMARY KEY (id),
  constraint share_visit_event_check CHECK ((event = ANY (ARRAY['visit'::text, 'download'::text, 'zip'::text, 'delivery'::text, 'wrongPassword'::text]))),
  constraint share_visit_share_id_fkey FOREIGN KEY (share_id) REFERENCES share(id) ON DELETE CASCADE
);
CREATE INDEX share_visit_at ON public.share_visit USING btree (at);
CREATE INDEX share_visit_share ON public.share_visit USING btree (share_id, id);

create table sign_in_failure (
  kind text not null,
  key text not null,
  failures integer not null,
  since timestamp with time zone default now() not null,
  locked_until timestamp with time zone,
  constraint sign_in_failure_pkey PRIMARY KEY (kind, key),
  constraint sign_in_failure_kind_check CHECK ((kind = ANY (ARRAY['user'::text, 'known'::text, 'address'::text])))
);
CREATE INDEX sign_in_failure_since ON public.sign_in_failure USING btree (since);

create table signing_key (
  kid text not null,
  algorithm text not null,
  sealed bytea not null,
  created_at timestamp with time zone default now() not null,
  active_at timestamp with time zone,
  retired_at timestamp with time zone,
  constraint signing_key_pkey PRIMARY KEY (kid),
  constraint signing_key_algorithm_check CHECK ((algorithm = ANY (ARRAY['ES256'::text, 'RS256'::text, 'HS256'::text])))
);
CREATE TRIGGER tell_others AFTER INSERT OR DELETE OR UPDATE ON public.signing_key FOR EACH STATEMENT EXECUTE FUNCTION tell_table('keys');

create table stale_text (
  product_id bigint not null,
  attr text not null,
  locale text not null,
  source text not null,
  since timestamp with time zone default now() not null,
  constraint stale_text_pkey PRIMARY KEY (product_id, attr, locale),
  constraint stale_text_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(id) ON DELETE CASCADE
);

create table stored_search (
  id bigint default nextval('object_id_seq'::regclass) not null,
  user_name text not null,
  name text not null,
  search jsonb not null,
  index_name text,
  config_id bigint,
  created_at timestamp with time zone default now() not null,
  modified_at timestamp with time zone default now() not null,
  constraint stored_search_pkey PRIMARY KEY (id),
  constraint stored_search_config_id_fkey FOREIGN KEY (config_id) REFERENCES search_configuration(id) ON DELETE SET NULL,
  constraint stored_search_name_check CHECK ((name <> ''::text))
);
CREATE INDEX stored_search_config ON public.stored_search USING btree (config_id) WHERE (config_id IS NOT NULL);
CREATE INDEX stored_search_user ON public.stored_search USING btree (user_name, name);

create table transfer (
  id uuid default gen_random_uuid() not null,
  direction text not null,
  name text not null,
  format text not null,
  options jsonb default '{}'::jsonb not null,
  user_name text not null,
  principal jsonb not null,
  state text default 'receiving'::text not null,
  dry boolean default false not null,
  total bigint default 0 not null,
  processed bigint default 0 not null,
  created bigint default 0 not null,
  updated bigint default 0 not null,
  refused bigint default 0 not null,
  size bigint default 0 not null,
  problem text,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  share real default 0 not null,
  rights text,
  deleted bigint default 0 not null,
  unchanged bigint default 0 not null,
  objects jsonb,
  constraint transfer_pkey PRIMARY KEY (id),
  constraint transfer_direction_check CHECK ((direction = ANY (ARRAY['import'::text, 'export'::text]))),
  constraint transfer_format_check CHECK ((format = ANY (ARRAY['csv'::text, 'xlsx'::text, 'xml'::text, 'jsonl'::text, 'zip'::text]))),
  constraint transfer_share_check CHECK (((share >= (0)::double precision) AND (share <= (1)::double precision))),
  constraint transfer_state_check CHECK ((state = ANY (ARRAY['receiving'::text, 'received'::text, 'validating'::text, 'validated'::text, 'running'::text, 'paused'::text, 'finished'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX transfer_created ON public.transfer USING btree (created_at);

create table transfer_item (
  transfer_id uuid not null,
  number bigint not null,
  tid text not null,
  wanted boolean default true not null,
  digest bytea,
  linked boolean default true not null,
  constraint transfer_item_pkey PRIMARY KEY (transfer_id, number),
  constraint transfer_item_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfer(id) ON DELETE CASCADE,
  constraint transfer_item_transfer_id_tid_key UNIQUE (transfer_id, tid)
);

create table transfer_outcome (
  transfer_id uuid not null,
  first_row bigint not null,
  refused integer not null,
  outcomes json not null,
  constraint transfer_outcome_pkey PRIMARY KEY (transfer_id, first_row),
  constraint transfer_outcome_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfer(id) ON DELETE CASCADE
);

create table transfer_piece (
  transfer_id uuid not null,
  number integer not null,
  bytes bytea not null,
  constraint transfer_piece_pkey PRIMARY KEY (transfer_id, number),
  constraint transfer_piece_transfer_id_fkey FOREIGN KEY (transfer_id) REFERENCES transfer(id) ON DELETE CASCADE
);

create table transfer_profile (
  name text not null,
  profile jsonb not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  version integer default 1 not null,
  constraint transfer_profile_pkey PRIMARY KEY (name),
  constraint transfer_profile_name_check CHECK (((name <> ''::text) AND (length(name) <= 255))),
  constraint transfer_profile_version_check CHECK ((version > 0))
);

create table transfer_profile_version (
  name text not null,
  version integer not null,
  profile jsonb not null,
  modified_at timestamp with time zone not null,
  modified_by text not null,
  constraint transfer_profile_version_pkey PRIMARY KEY (name, version),
  constraint transfer_profile_version_name_fkey FOREIGN KEY (name) REFERENCES transfer_profile(name) ON DELETE CASCADE,
  constraint transfer_profile_version_version_check CHECK ((version > 0))
);

create table transfer_series (
  name text not null,
  since timestamp with time zone not null,
  xid xid8,
  transfer_id uuid,
  shape text,
  headings text[],
  constraint transfer_series_pkey PRIMARY KEY (name)
);

create table transfer_series_item (
  series text not null,
  tid text not null,
  digest bytea,
  linked boolean default true not null,
  constraint transfer_series_item_pkey PRIMARY KEY (series, tid),
  constraint transfer_series_item_series_fkey FOREIGN KEY (series) REFERENCES transfer_series(name) ON DELETE CASCADE
);

create table unique_value (
  attribute text not null,
  value text not null,
  product_id bigint not null,
  constraint unique_value_taken PRIMARY KEY (attribute, value),
  constraint unique_value_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(id) ON DELETE CASCADE
);
CREATE INDEX unique_value_product ON public.unique_value USING btree (product_id);

create table unit (
  code text not null,
  kind text not null,
  name jsonb default '{}'::jsonb not null,
  family text,
  factor double precision,
  shift double precision,
  synonyms text[] default '{}'::text[] not null,
  constraint unit_pkey PRIMARY KEY (code),
  constraint unit_code_check CHECK ((code ~ '^[^\s/](.{0,18}[^\s/])?$'::text)),
  constraint unit_kind_check CHECK ((kind = ANY (ARRAY['measure'::text, 'currency'::text])))
);

create table upload (
  id uuid not null,
  kind text not null,
  user_name text not null,
  path text,
  tid text,
  asset_id bigint,
  size bigint default 0 not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  chunk_size bigint default 0 not null,
  checksum text,
  constraint upload_pkey PRIMARY KEY (id),
  constraint upload_asset_id_fkey FOREIGN KEY (asset_id) REFERENCES dam_entry(id) ON DELETE CASCADE,
  constraint upload_checksum_check CHECK ((checksum ~ '^[0-9a-f]{64}$'::text)),
  constraint upload_kind_check CHECK ((kind = ANY (ARRAY['asset'::text, 'version'::text])))
);
CREATE INDEX upload_asset ON public.upload USING btree (asset_id) WHERE (asset_id IS NOT NULL);
CREATE INDEX upload_expires ON public.upload USING btree (expires_at);
CREATE INDEX upload_user ON public.upload USING btree (user_name);

create table upload_address (
  upload_id uuid not null,
  number integer not null,
  size bigint not null,
  place text not null,
  constraint upload_address_pkey PRIMARY KEY (upload_id, number),
  constraint upload_address_number_check CHECK (((number >= 0) AND (number <= 9999))),
  constraint upload_address_size_check CHECK ((size > 0)),
  constraint upload_address_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES upload(id) ON DELETE CASCADE
);

create table upload_chunk (
  upload_id uuid not null,
  number integer not null,
  size bigint not null,
  place text not null,
  constraint upload_chunk_pkey PRIMARY KEY (upload_id, number),
  constraint upload_chunk_number_check CHECK (((number >= 0) AND (number <= 9999))),
  constraint upload_chunk_upload_id_fkey FOREIGN KEY (upload_id) REFERENCES upload(id) ON DELETE CASCADE
);

create table user_account (
  id uuid default gen_random_uuid() not null,
  name text not null,
  name_key text not null,
  email text,
  display_name text,
  password_hash text,
  must_change_password boolean default false not null,
  enabled boolean default true not null,
  permission_epoch integer default 1 not null,
  issuer text,
  subject text,
  created_at timestamp with time zone default now() not null,
  home_widgets text[],
  constraint user_account_pkey PRIMARY KEY (id),
  constraint user_account_check CHECK (((issuer IS NULL) = (subject IS NULL))),
  constraint user_account_home_widgets_check CHECK ((((cardinality(home_widgets) >= 1) AND (cardinality(home_widgets) <= 50)) AND (octet_length((home_widgets)::text) <= 4000))),
  constraint user_account_issuer_subject_key UNIQUE (issuer, subject),
  constraint user_account_name_key_key UNIQUE (name_key)
);
CREATE TRIGGER tell_others AFTER DELETE OR UPDATE OF enabled, permission_epoch ON public.user_account FOR EACH ROW EXECUTE FUNCTION tell_row('user');

create table user_group (
  name text not null,
  description text default ''::text not null,
  constraint user_group_pkey PRIMARY KEY (name),
  constraint user_group_name_check CHECK (((name = btrim(name)) AND (name <> ''::text) AND (length(name) <= 255)))
);

create table user_role (
  user_id uuid not null,
  role text not null,
  constraint user_role_pkey PRIMARY KEY (user_id, role),
  constraint user_role_role_fkey FOREIGN KEY (role) REFERENCES role(name) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint user_role_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE
);
CREATE INDEX user_role_role ON public.user_role USING btree (role);

create table user_session (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  client_id text not null,
  browser text,
  parent_id uuid,
  authenticated_at timestamp with time zone default now() not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint user_session_pkey PRIMARY KEY (id),
  constraint user_session_client_id_fkey FOREIGN KEY (client_id) REFERENCES oidc_client(id) ON DELETE CASCADE,
  constraint user_session_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES user_session(id) ON DELETE CASCADE,
  constraint user_session_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX user_session_browser ON public.user_session USING btree (browser, client_id) WHERE (ended_at IS NULL);
CREATE INDEX user_session_client ON public.user_session USING btree (client_id);
CREATE INDEX user_session_expires ON public.user_session USING btree (expires_at);
CREATE INDEX user_session_parent ON public.user_session USING btree (parent_id) WHERE (parent_id IS NOT NULL);
CREATE INDEX user_session_user ON public.user_session USING btree (user_id, expires_at) WHERE (ended_at IS NULL);
CREATE TRIGGER end_within AFTER UPDATE OF ended_at ON public.user_session FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (new.ended_at IS NOT NULL))) EXECUTE FUNCTION end_within();
CREATE TRIGGER tell_others AFTER UPDATE OF ended_at ON public.user_session FOR EACH ROW WHEN (((old.ended_at IS NULL) AND (new.ended_at IS NOT NULL))) EXECUTE FUNCTION tell_row('session');

create table variation_axes (
  node_id bigint not null,
  articles text[] not null,
  variations text[] not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint variation_axes_pkey PRIMARY KEY (node_id),
  constraint variation_axes_check CHECK ((((cardinality(articles) + cardinality(variations)) >= 1) AND ((cardinality(articles) + cardinality(variations)) <= 5))),
  constraint variation_axes_node_id_fkey FOREIGN KEY (node_id) REFERENCES node(id) ON DELETE CASCADE
);

create table variation_key (
  product_id bigint not null,
  parent_id bigint not null,
  digest text not null,
  constraint variation_key_pkey PRIMARY KEY (product_id),
  constraint variation_combination UNIQUE (parent_id, digest),
  constraint variation_key_product_id_fkey FOREIGN KEY (product_id) REFERENCES product(id) ON DELETE CASCADE
);

create table variation_type (
  tid text not null,
  pos integer default 0 not null,
  constraint variation_type_pkey PRIMARY KEY (tid),
  constraint variation_type_tid_check CHECK ((tid <> ''::text))
);

create table webhook (
  id uuid default gen_random_uuid() not null,
  url text not null,
  description text default ''::text not null,
  types text[] default '{}'::text[] not null,
  enabled boolean default true not null,
  secrets bytea[] not null,
  "position" text not null,
  failures integer default 0 not null,
  failing_since timestamp with time zone,
  retry_at timestamp with time zone,
  lease_until timestamp with time zone,
  problem text,
  created_at timestamp with time zone default now() not null,
  created_by text not null,
  principal jsonb not null,
  constraint webhook_pkey PRIMARY KEY (id),
  constraint webhook_secrets_check CHECK (((cardinality(secrets) >= 1) AND (cardinality(secrets) <= 2))),
  constraint webhook_url_check CHECK (((url ~ '^https?://'::text) AND (length(url) <= 2000)))
);

create table webhook_delivery (
  id bigint generated always as identity not null,
  webhook_id uuid not null,
  event_id text not null,
  type text not null,
  subject text not null,
  object_id bigint not null,
  body text not null,
  state text default 'waiting'::text not null,
  attempts integer default 0 not null,
  retry_at timestamp with time zone default now() not null,
  status integer,
  problem text,
  created_at timestamp with time zone default now() not null,
  delivered_at timestamp with time zone,
  constraint webhook_delivery_pkey PRIMARY KEY (id),
  constraint webhook_delivery_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'refused'::text]))),
  constraint webhook_delivery_webhook_id_event_id_key UNIQUE (webhook_id, event_id),
  constraint webhook_delivery_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhook(id) ON DELETE CASCADE
);
CREATE INDEX webhook_delivery_newest ON public.webhook_delivery USING btree (webhook_id, id);
CREATE INDEX webhook_delivery_next ON public.webhook_delivery USING btree (webhook_id, id) WHERE (state = 'waiting'::text);
CREATE INDEX webhook_delivery_old ON public.webhook_delivery USING btree (created_at) WHERE (state <> 'waiting'::text);
CREATE INDEX webhook_delivery_waiting ON public.webhook_delivery USING btree (webhook_id, object_id, id) WHERE (state = 'waiting'::text);

create table workflow_comment (
  id bigint generated always as identity not null,
  task_id bigint not null,
  at timestamp with time zone default now() not null,
  user_name text not null,
  text text not null,
  constraint workflow_comment_pkey PRIMARY KEY (id),
  constraint workflow_comment_task_id_fkey FOREIGN KEY (task_id) REFERENCES workflow_task(id) ON DELETE CASCADE
);
CREATE INDEX workflow_comment_task ON public.workflow_comment USING btree (task_id, id);

create table workflow_configuration (
  identifier text not null,
  name text not null,
  description text default ''::text not null,
  definition_key text not null,
  definition_version integer,
  parameters jsonb default '[]'::jsonb not null,
  linked_types text[] default '{}'::text[] not null,
  candidate_roles text[] default '{}'::text[] not null,
  deadline text,
  escalation_role text,
  enabled boolean default true not null,
  changed_at timestamp with time zone default now() not null,
  changed_by text not null,
  constraint workflow_configuration_pkey PRIMARY KEY (identifier)
);

create table workflow_definition (
  id bigint default nextval('object_id_seq'::regclass) not null,
  key text not null,
  version integer not null,
  name text not null,
  xml text not null,
  shipped boolean default false not null,
  deployed_at timestamp with time zone default now() not null,
  deployed_by text not null,
  constraint workflow_definition_pkey PRIMARY KEY (id),
  constraint workflow_definition_key_version_key UNIQUE (key, version)
);

create table workflow_event (
  id bigint generated always as identity not null,
  process_id bigint not null,
  at timestamp with time zone default now() not null,
  element text not null,
  event text not null,
  user_name text not null,
  text text,
  constraint workflow_event_pkey PRIMARY KEY (id),
  constraint workflow_event_process_id_fkey FOREIGN KEY (process_id) REFERENCES workflow_process(id) ON DELETE CASCADE
);
CREATE INDEX workflow_event_process ON public.workflow_event USING btree (process_id, id);

create table workflow_job (
  id bigint default nextval('object_id_seq'::regclass) not null,
  process_id bigint not null,
  wait_key text not null,
  kind text not null,
  element text not null,
  name text not null,
  job text,
  message_id text,
  item jsonb,
  state text default 'waiting'::text not null,
  attempts integer default 0 not null,
  run_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  problem text,
  constraint workflow_job_pkey PRIMARY KEY (id),
  constraint workflow_job_kind_check CHECK ((kind = ANY (ARRAY['service'::text, 'timer'::text, 'message'::text]))),
  constraint workflow_job_process_id_fkey FOREIGN KEY (process_id) REFERENCES workflow_process(id) ON DELETE CASCADE,
  constraint workflow_job_process_id_wait_key_key UNIQUE (process_id, wait_key),
  constraint workflow_job_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'done'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX workflow_job_message ON public.workflow_job USING btree (job) WHERE ((kind = 'message'::text) AND (state = 'waiting'::text));
CREATE INDEX workflow_job_open ON public.workflow_job USING btree (state, id) WHERE (state = ANY (ARRAY['waiting'::text, 'failed'::text]));

create table workflow_object (
  process_id bigint not null,
  pos integer not null,
  type text not null,
  data_type text not null,
  object_id bigint not null,
  tid text not null,
  constraint workflow_object_pkey PRIMARY KEY (process_id, pos),
  constraint workflow_object_process_id_fkey FOREIGN KEY (process_id) REFERENCES workflow_process(id) ON DELETE CASCADE
);
CREATE INDEX workflow_object_object ON public.workflow_object USING btree (object_id);

create table workflow_process (
  id bigint default nextval('object_id_seq'::regclass) not null,
  tid text not null,
  config_identifier text not null,
  name text not null,
  definition_id bigint not null,
  state text not null,
  starter text not null,
  principal jsonb not null,
  defaults jsonb default '{}'::jsonb not null,
  variables jsonb default '{}'::jsonb not null,
  engine text not null,
  problem text,
  started_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint workflow_process_pkey PRIMARY KEY (id),
  constraint workflow_process_check CHECK (((state = 'running'::text) = (ended_at IS NULL))),
  constraint workflow_process_definition_id_fkey FOREIGN KEY (definition_id) REFERENCES workflow_definition(id),
  constraint workflow_process_state_check CHECK ((state = ANY (ARRAY['running'::text, 'finished'::text, 'cancelled'::text, 'failed'::text]))),
  constraint workflow_process_tid_key UNIQUE (tid)
);
CREATE INDEX workflow_process_config ON public.workflow_process USING btree (config_identifier, state);
CREATE INDEX workflow_process_definition ON public.workflow_process USING btree (definition_id);
CREATE INDEX workflow_process_ended ON public.workflow_process USING btree (ended_at) WHERE (ended_at IS NOT NULL);
CREATE INDEX workflow_process_starter ON public.workflow_process USING btree (starter, id);
CREATE INDEX workflow_process_state ON public.workflow_process USING btree (state, id);

create table workflow_task (
  id bigint default nextval('object_id_seq'::regclass) not null,
  process_id bigint not null,
  wait_key text not null,
  element text not null,
  name text not null,
  description text default ''::text not null,
  item text,
  state text default 'open'::text not null,
  assignee text,
  candidate_users text[] default '{}'::text[] not null,
  candidate_roles text[] default '{}'::text[] not null,
  priority integer default 50 not null,
  due_at timestamp with time zone,
  form jsonb default '[]'::jsonb not null,
  "values" jsonb,
  created_at timestamp with time zone default now() not null,
  claimed_at timestamp with time zone,
  ended_at timestamp with time zone,
  completed_by text,
  overdue_told_at timestamp with time zone,
  constraint workflow_task_pkey PRIMARY KEY (id),
  constraint workflow_task_check CHECK (((state = 'open'::text) = (ended_at IS NULL))),
  constraint workflow_task_priority_check CHECK (((priority >= 0) AND (priority <= 100))),
  constraint workflow_task_process_id_fkey FOREIGN KEY (process_id) REFERENCES workflow_process(id) ON DELETE CASCADE,
  constraint workflow_task_process_id_wait_key_key UNIQUE (process_id, wait_key),
  constraint workflow_task_state_check CHECK ((state = ANY (ARRAY['open'::text, 'completed'::text, 'cancelled'::text])))
);
CREATE INDEX workflow_task_assignee ON public.workflow_task USING btree (assignee, id) WHERE (state = 'open'::text);
CREATE INDEX workflow_task_due ON public.workflow_task USING btree (due_at) WHERE ((state = 'open'::text) AND (overdue_told_at IS NULL));
CREATE INDEX workflow_task_roles ON public.workflow_task USING gin (candidate_roles) WHERE (state = 'open'::text);
CREATE INDEX workflow_task_users ON public.workflow_task USING gin (candidate_users) WHERE (state = 'open'::text);

create view identifier_key as
 SELECT attr_def.tid AS attribute,
    attr_def.tid AS key
   FROM attr_def
  WHERE (attr_def.type = 'identifier'::text)
UNION ALL
 SELECT d.tid AS attribute,
    ((t.tid || '/'::text) || d.tid) AS key
   FROM (attr_def d
     JOIN attr_def t ON (((t.type = 'table'::text) AND (((t.definition -> 'references'::text) -> 'itm'::text) @> jsonb_build_array(jsonb_build_object('value', d.tid))))))
  WHERE (d.type = 'identifier'::text);

create view unique_key as
 SELECT attr_def.tid AS attribute,
    attr_def.tid AS key
   FROM attr_def
  WHERE (((attr_def.definition -> 'format'::text) ->> 'unique'::text) = 'true'::text)
UNION ALL
 SELECT d.tid AS attribute,
    ((t.tid || '/'::text) || d.tid) AS key
   FROM (attr_def d
     JOIN attr_def t ON (((t.type = 'table'::text) AND (((t.definition -> 'references'::text) -> 'itm'::text) @> jsonb_build_array(jsonb_build_object('value', d.tid))))))
  WHERE (((d.definition -> 'format'::text) ->> 'unique'::text) = 'true'::text);

create view variation_combinations as
 SELECT p.id AS product_id,
    p.parent_id,
    md5((k.key)::text) AS digest
   FROM ((product p
     JOIN product r ON ((r.id = p.root_id)))
     CROSS JOIN LATERAL ( SELECT jsonb_object_agg(axis.axis,
                CASE
                    WHEN ((p.vals -> axis.axis) ? 'v'::text) THEN ((p.vals -> axis.axis) -> 'v'::text)
                    ELSE (p.vals -> axis.axis)
                END) AS key
           FROM unnest(axes_of(r.node_id, p.level)) axis(axis)
          WHERE (p.vals ? axis.axis)) k)
  WHERE (k.key IS NOT NULL);
