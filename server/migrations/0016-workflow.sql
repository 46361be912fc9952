-- Workflows: BPMN definitions, how they can be started, the processes, and what each of them waits for.

-- A definition is never changed; a new file is a new version. Those that come with the server say so.
create table workflow_definition (
  id          bigint      primary key default nextval('object_id_seq'),
  key         text        not null,
  version     integer     not null,
  name        text        not null,
  xml         text        not null,
  shipped     boolean     not null default false,
  deployed_at timestamptz not null default now(),
  deployed_by text        not null,
  unique (key, version)
);

create table workflow_configuration (
  identifier         text        primary key,
  name               text        not null,
  description        text        not null default '',
  definition_key     text        not null,
  definition_version integer,
  parameters         jsonb       not null default '[]',
  linked_types       text[]      not null default '{}',
  candidate_roles    text[]      not null default '{}',
  deadline           text,
  escalation_role    text,
  enabled            boolean     not null default true,
  changed_at         timestamptz not null default now(),
  changed_by         text        not null
);

-- A process. `engine` is where it stands, as the engine keeps it; it belongs to who holds the row's lock. `principal` is
-- who started it, for jobs run as them.
create table workflow_process (
  id                bigint      primary key default nextval('object_id_seq'),
  tid               text        not null unique,
  config_identifier text        not null,
  name              text        not null,
  definition_id     bigint      not null references workflow_definition,
  state             text        not null check (state in ('running', 'finished', 'cancelled', 'failed')),
  starter           text        not null,
  principal         jsonb       not null,
  defaults          jsonb       not null default '{}',
  variables         jsonb       not null default '{}',
  engine            text        not null,
  problem           text,
  started_at        timestamptz not null default now(),
  ended_at          timestamptz,
  check ((state = 'running') = (ended_at is null))
);
create index workflow_process_state on workflow_process (state, id);
create index workflow_process_config on workflow_process (config_identifier, state);
create index workflow_process_starter on workflow_process (starter, id);
create index workflow_process_definition on workflow_process (definition_id);
create index workflow_process_ended on workflow_process (ended_at) where ended_at is not null;

-- What a process is about. The object may be deleted meanwhile; the tid remains for people.
create table workflow_object (
  process_id bigint  not null references workflow_process on delete cascade,
  pos        integer not null,
  type       text    not null,
  data_type  text    not null,
  object_id  bigint  not null,
  tid        text    not null,
  primary key (process_id, pos)
);
create index workflow_object_object on workflow_object (object_id);

-- What people do. `wait_key` is the engine's name for it, unique in the process and never used again.
create table workflow_task (
  id              bigint      primary key default nextval('object_id_seq'),
  process_id      bigint      not null references workflow_process on delete cascade,
  wait_key        text        not null,
  element         text        not null,
  name            text        not null,
  description     text        not null default '',
  item            text,
  state           text        not null default 'open' check (state in ('open', 'completed', 'cancelled')),
  assignee        text,
  candidate_users text[]      not null default '{}',
  candidate_roles text[]      not null default '{}',
  priority        integer     not null default 50 check (priority between 0 and 100),
  due_at          timestamptz,
  form            jsonb       not null default '[]',
  values          jsonb,
  created_at      timestamptz not null default now(),
  claimed_at      timestamptz,
  ended_at        timestamptz,
  completed_by    text,
  overdue_told_at timestamptz,
  unique (process_id, wait_key),
  check ((state = 'open') = (ended_at is null))
);
create index workflow_task_assignee on workflow_task (assignee, id) where state = 'open';
create index workflow_task_users on workflow_task using gin (candidate_users) where state = 'open';
create index workflow_task_roles on workflow_task using gin (candidate_roles) where state = 'open';
create index workflow_task_due on workflow_task (due_at) where state = 'open' and overdue_told_at is null;

create table workflow_comment (
  id        bigint      generated always as identity primary key,
  task_id   bigint      not null references workflow_task on delete cascade,
  at        timestamptz not null default now(),
  user_name text        not null,
  text      text        not null
);
create index workflow_comment_task on workflow_comment (task_id, id);

-- What the system does: service tasks, timers, and messages that are waited for. A job is done in the transaction that
-- moves its process on; until then the queue brings it again.
create table workflow_job (
  id         bigint      primary key default nextval('object_id_seq'),
  process_id bigint      not null references workflow_process on delete cascade,
  wait_key   text        not null,
  kind       text        not null check (kind in ('service', 'timer', 'message')),
  element    text        not null,
  name       text        not null,
  job        text,
  message_id text,
  item       jsonb,
  state      text        not null default 'waiting' check (state in ('waiting', 'done', 'failed', 'cancelled')),
  attempts   integer     not null default 0,
  run_at     timestamptz,
  created_at timestamptz not null default now(),
  ended_at   timestamptz,
  problem    text,
  unique (process_id, wait_key)
);
create index workflow_job_open on workflow_job (state, id) where state in ('waiting', 'failed');
create index workflow_job_message on workflow_job (job) where kind = 'message' and state = 'waiting';

-- The steps of a process, oldest first.
create table workflow_event (
  id         bigint      generated always as identity primary key,
  process_id bigint      not null references workflow_process on delete cascade,
  at         timestamptz not null default now(),
  element    text        not null,
  event      text        not null,
  user_name  text        not null,
  text       text
);
create index workflow_event_process on workflow_event (process_id, id);
