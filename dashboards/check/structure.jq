# What is wrong with a Grafana dashboard: one line a fault, nothing if it is fine.

def name: "panel \(.id // "without id") '\(.title // "")'";
def blank: (. // "" | tostring | gsub("\\s"; "")) == "";

# Whether two rectangles of the grid have a cell in common.
def overlaps($a; $b):
  $a.x < $b.x + $b.w and $b.x < $a.x + $a.w and $a.y < $b.y + $b.h and $b.y < $a.y + $a.h;

def head:
  (if .uid | blank then "no uid" else empty end),
  (if .title | blank then "no title" else empty end),
  (if .schemaVersion | type != "number" then "no schemaVersion" else empty end),
  (if has("id") and .id != null then "it has an id, which belongs to one Grafana" else empty end),
  (if any(.__inputs[]?; .name == "DS_PROMETHEUS" and .type == "datasource") then empty
   else "__inputs has no data source DS_PROMETHEUS" end),
  (if any(.templating.list[]?; .name == "datasource" and .type == "datasource") then empty
   else "there is no variable 'datasource'" end),
  ([.__requires[]? | select(.type == "panel") | .id] as $required
   | [.panels[].type] | unique | map(select(. != "row")) - $required
   | .[] | "__requires does not name the panel type \(.)");

def ids: .panels | group_by(.id)[] | select(length > 1) | "the id \(.[0].id) is used by: \(map(.title) | join(", "))";

def grid:
  (.panels[] | select([.gridPos | .x?, .y?, .w?, .h?] | all(type == "number") | not) | "\(name): gridPos is not complete"),
  ([.panels[] | select([.gridPos | .x?, .y?, .w?, .h?] | all(type == "number"))] as $panels
   | ($panels[] | select(.gridPos.x < 0 or .gridPos.w < 1 or .gridPos.h < 1 or .gridPos.x + .gridPos.w > 24)
      | "\(name): it is outside of the 24 columns"),
     (range($panels | length) as $i | range($i + 1; $panels | length) as $j
      | select(overlaps($panels[$i].gridPos; $panels[$j].gridPos))
      | "\($panels[$i] | name) and \($panels[$j] | name) overlap"));

def panel($variables):
  name as $name
  | (if .id | type != "number" then "\($name): no id" else empty end),
    (if .title | blank then "\($name): no title" else empty end),
    (if .type == "row" then (if (.panels // []) != [] then "\($name): panels of a collapsed row are not checked" else empty end)
     else
       (if .description | blank then "\($name): no description" else empty end),
       (if .fieldConfig.defaults.unit | blank then "\($name): no unit" else empty end),
       (if .datasource.uid != "${datasource}" then "\($name): its data source is not ${datasource}" else empty end),
       (if (.targets // []) == [] then "\($name): no target" else empty end),
       ((.targets // []) | group_by(.refId)[] | select(length > 1) | "\($name): refId \(.[0].refId) is used twice"),
       (.targets[]?
        | (if .refId | blank then "\($name): a target has no refId" else empty end),
          (if .expr | blank then "\($name): target \(.refId) has no expr" else empty end),
          (if .legendFormat | blank then "\($name): target \(.refId) has no legend" else empty end),
          (if .datasource.uid != "${datasource}" then "\($name): the data source of target \(.refId) is not ${datasource}" else empty end),
          ([.expr // "" | scan("\\$\\{?[A-Za-z_]+\\}?")] - ["$__rate_interval", "$__range"] - $variables
           | .[] | "\($name): \(.) is a variable that the check does not know"))
     end);

# A query that compares a variable with = shows nothing when all values are chosen.
def choices:
  .templating.list[]? | select(.type == "query")
  | (if .allValue != ".*" then "the variable \(.name) does not mean any value with All" else empty end),
    (if .definition != .query.query then "the variable \(.name) has two queries" else empty end);

head, ids, grid, choices, ([.templating.list[]? | select(.type == "query") | "$" + .name] as $variables | .panels[] | panel($variables))
