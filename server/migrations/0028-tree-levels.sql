-- A tree has at most 64 levels. Deeper trees of earlier versions stay readable: existing rows are not checked.
alter table keyword add constraint keyword_path_levels
  check (length(path) - length(replace(path, '/', '')) <= 64) not valid;
alter table project add constraint project_path_levels
  check (length(path) - length(replace(path, '/', '')) <= 64) not valid;

-- Trees that are deeper already stay as they are, and `kontor check` names the constraint until they are not.
do $$ begin
  alter table keyword validate constraint keyword_path_levels;
  alter table project validate constraint project_path_levels;
exception when check_violation then
  raise notice 'some keywords or channels have more than 64 levels';
end $$;
