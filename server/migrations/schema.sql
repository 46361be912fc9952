-- The schema after the last migration, for reading. Written by `npm run db:schema`; never edited, never run.

create sequence object_id_seq as bigint start 1000 increment 1;

CREATE OR REPLACE FUNCTION public.forget_links()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from link where from_id in (select id from gone) or to_id in (select id from gone);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.notify_outbox()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('outbox', '');
  return null;
end $function$;

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

create table glossary (
  id bigint default nextval('object_id_seq'::regclass) not null,
  tid text default (gen_random_uuid())::text not null,
  name text not null,
  meta jsonb default '[]'::jsonb not null,
  created_at timestamp with time zone default now() not null,
  created_by text not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint glossary_pkey PRIMARY KEY (id),
  constraint glossary_name_key UNIQUE (name) DEFERRABLE,
  constraint glossary_tid_key UNIQUE (tid)
);
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

create table history (
  id bigint generated always as identity not null,
  object_id bigint not null,
  data_type text not null,
  action text not null,
  at timestamp with time zone default now() not null,
  user_name text not null,
  changes jsonb default '{}'::jsonb not null,
  constraint history_pkey PRIMARY KEY (id)
);
CREATE INDEX history_at ON public.history USING brin (at);
CREATE INDEX history_object ON public.history USING btree (object_id, id);

create table idempotency_key (
  user_name text not null,
  key text not null,
  request text not null,
  reply jsonb not null,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_key_pkey PRIMARY KEY (user_name, key)
);
CREATE INDEX idempotency_key_created ON public.idempotency_key USING btree (created_at);

create table keyword (
  id bigint default nextval('object_id_seq'::regclass) not null,
  parent_id bigint,
  name text not null,
  path text not null,
  names jsonb default '{}'::jsonb not null,
  order_number bigint default 0 not null,
  created_at timestamp with time zone default now() not null,
  created_by text not null,
  modified_at timestamp with time zone default now() not null,
  modified_by text not null,
  constraint keyword_pkey PRIMARY KEY (id),
  constraint keyword_check CHECK (((path ~ '^/'::text) AND ("right"(path, (length(name) + 1)) = ('/'::text || name)))),
  constraint keyword_name_check CHECK (((name <> ''::text) AND (name !~ '/'::text))),
  constraint keyword_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES keyword(id) ON DELETE CASCADE,
  constraint keyword_path_key UNIQUE (path) DEFERRABLE
);
CREATE INDEX keyword_parent ON public.keyword USING btree (parent_id, order_number);
CREATE INDEX keyword_subtree ON public.keyword USING btree (path COLLATE "C");
CREATE TRIGGER keyword_links AFTER DELETE ON public.keyword REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION forget_links();

create table link (
  id bigint default nextval('object_id_seq'::regclass) not null,
  kind text not null,
  type text default ''::text not null,
  from_id bigint not null,
  to_id bigint not null,
  pos bigint,
  created_at timestamp with time zone default now() not null,
  created_by text not null,
  constraint link_pkey PRIMARY KEY (id),
  constraint link_from_id_kind_to_id_type_key UNIQUE (from_id, kind, to_id, type)
);
CREATE INDEX link_to ON public.link USING btree (to_id, kind);

create table locale (
  id bigint generated by default as identity not null,
  tid text generated always as (((language || '_'::text) || country)) stored not null,
  language text not null,
  country text not null,
  name text not null,
  content boolean default true not null,
  frontend boolean default false not null,
  constraint locale_pkey PRIMARY KEY (id),
  constraint locale_country_check CHECK ((country ~ '^[A-Z]{2,3}$'::text)),
  constraint locale_language_check CHECK ((language ~ '^[a-z]{2,3}$'::text)),
  constraint locale_tid_key UNIQUE (tid)
);

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

create table offline_session (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  client_id text not null,
  scope text not null,
  session_id uuid,
  authenticated_at timestamp with time zone not null,
  created_at timestamp with time zone default now() not null,
  used_at timestamp with time zone default now() not null,
  ended_at timestamp with time zone,
  constraint offline_session_pkey PRIMARY KEY (id),
  constraint offline_session_client_id_fkey FOREIGN KEY (client_id) REFERENCES oidc_client(id) ON DELETE CASCADE,
  constraint offline_session_session_id_fkey FOREIGN KEY (session_id) REFERENCES user_session(id) ON DELETE SET NULL,
  constraint offline_session_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE
);
CREATE INDEX offline_session_session ON public.offline_session USING btree (session_id);
CREATE INDEX offline_session_used ON public.offline_session USING btree (used_at);
CREATE INDEX offline_session_user ON public.offline_session USING btree (user_id, used_at) WHERE (ended_at IS NULL);

create table oidc_client (
  id text not null,
  enabled boolean default true not null,
  created_at timestamp with time zone default now() not null,
  constraint oidc_client_pkey PRIMARY KEY (id)
);

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
  xid xid8 default pg_current_xact_id() not null,
  object_id bigint not null,
  data_type text not null,
  event text not null,
  at timestamp with time zone default now() not null,
  constraint outbox_pkey PRIMARY KEY (seq),
  constraint outbox_event_check CHECK ((event = ANY (ARRAY['CREATE'::text, 'UPDATE'::text, 'DELETE'::text])))
);
CREATE INDEX outbox_horizon ON public.outbox USING btree (xid, seq);
CREATE TRIGGER outbox_notify AFTER INSERT ON public.outbox FOR EACH STATEMENT EXECUTE FUNCTION notify_outbox();

create table role (
  name text not null,
  description text not null,
  constraint role_pkey PRIMARY KEY (name),
  constraint role_name_check CHECK ((name ~ '^[a-z][a-z0-9_-]{0,63}$'::text))
);

create table schema_migration (
  number integer not null,
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone default now() not null,
  constraint schema_migration_pkey PRIMARY KEY (number)
);

create table sign_in_failure (
  kind text not null,
  key text not null,
  failures integer not null,
  since timestamp with time zone default now() not null,
  locked_until timestamp with time zone,
  constraint sign_in_failure_pkey PRIMARY KEY (kind, key),
  constraint sign_in_failure_kind_check CHECK ((kind = ANY (ARRAY['user'::text, 'address'::text])))
);
CREATE INDEX sign_in_failure_since ON public.sign_in_failure USING btree (since);

create table signing_key (
  kid text not null,
  algorithm text not null,
  private_jwk jsonb not null,
  created_at timestamp with time zone default now() not null,
  retired_at timestamp with time zone,
  constraint signing_key_pkey PRIMARY KEY (kid),
  constraint signing_key_algorithm_check CHECK ((algorithm = ANY (ARRAY['ES256'::text, 'RS256'::text, 'HS256'::text])))
);

create table user_account (
  id uuid default gen_random_uuid() not null,
  name text not null,
  name_key text not null,
  email text,
  display_name text,
  password_hash text,
  enabled boolean default true not null,
  permission_epoch integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  constraint user_account_pkey PRIMARY KEY (id),
  constraint user_account_name_key_key UNIQUE (name_key)
);

create table user_role (
  user_id uuid not null,
  role text not null,
  constraint user_role_pkey PRIMARY KEY (user_id, role),
  constraint user_role_role_fkey FOREIGN KEY (role) REFERENCES role(name) ON UPDATE CASCADE ON DELETE CASCADE,
  constraint user_role_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE
);

create table user_session (
  id uuid default gen_random_uuid() not null,
  user_id uuid not null,
  client_id text not null,
  browser text,
  authenticated_at timestamp with time zone default now() not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint user_session_pkey PRIMARY KEY (id),
  constraint user_session_client_id_fkey FOREIGN KEY (client_id) REFERENCES oidc_client(id) ON DELETE CASCADE,
  constraint user_session_user_id_fkey FOREIGN KEY (user_id) REFERENCES user_account(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX user_session_browser ON public.user_session USING btree (browser, client_id) WHERE (ended_at IS NULL);
CREATE INDEX user_session_expires ON public.user_session USING btree (expires_at);
CREATE INDEX user_session_user ON public.user_session USING btree (user_id, expires_at) WHERE (ended_at IS NULL);
