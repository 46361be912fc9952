-- Stored searches that notify their user of new matches.

create table search_alert (
  search_id bigint      primary key references stored_search on delete cascade,
  frequency text        not null check (frequency in ('atOnce', 'daily')),
  -- the user with whose present rights the search is run
  principal jsonb       not null,
  -- the ids of the objects that matched last time; null until the index was complete for the first time
  seen      bigint[],
  due_at    timestamptz not null
);
create index search_alert_due on search_alert (due_at);
