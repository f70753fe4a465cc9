-- Health of numaspark's kinds. They follow kstatus: observedGeneration, Ready, Reconciling and Stalled.
local health = {status = "Progressing", message = "no operator has processed it yet"}
local status = obj.status
if status == nil or status.conditions == nil then
  return health
end
if status.observedGeneration ~= nil and status.observedGeneration ~= obj.metadata.generation then
  health.message = "the operator has not processed the newest spec yet"
  return health
end
local conditions = {}
for _, condition in ipairs(status.conditions) do
  conditions[condition.type] = condition
end
local ready = conditions.Ready
if ready == nil then
  return health
end
health.message = ready.reason .. ": " .. ready.message
if conditions.Stalled ~= nil and conditions.Stalled.status == "True" then
  health.status = "Degraded"
elseif ready.status == "True" then
  health.status = "Healthy"
elseif ready.reason == "Suspended" or ready.reason == "TrialSuspended" then
  health.status = "Suspended"
end
return health
