-- NOTIFY inside a transaction makes commits wait for each other until each is on the disk. Whoever tells of his rows after
-- the commit says so, and the trigger leaves it to him.
drop trigger outbox_notify on outbox;
create or replace function notify_outbox() returns trigger language plpgsql as $$
begin
  if current_setting('kontor.tells', true) is distinct from 'true' then
    perform pg_notify('outbox', '');
  end if;
  return null;
end $$;
create trigger outbox_notify after insert on outbox for each statement execute function notify_outbox();
