# Makes a large extract from a small one: copies with shifted ids and places: shift.py IN OUT COPIES
import osmium, sys
source, target, copies = sys.argv[1], sys.argv[2], int(sys.argv[3])
step = 20_000_000_000
writer = osmium.SimpleWriter(target)
class Nodes(osmium.SimpleHandler):
    def __init__(self, k): super().__init__(); self.k = k
    def node(self, n):
        dx, dy = (self.k % 20) * 0.5, (self.k // 20) * 0.5
        writer.add_node(n.replace(id=n.id + self.k * step, location=(n.location.lon + dx, n.location.lat + dy)))
class Ways(osmium.SimpleHandler):
    def __init__(self, k): super().__init__(); self.k = k
    def way(self, w): writer.add_way(w.replace(id=w.id + self.k * step, nodes=[n.ref + self.k * step for n in w.nodes]))
class Relations(osmium.SimpleHandler):
    def __init__(self, k): super().__init__(); self.k = k
    def relation(self, r):
        writer.add_relation(r.replace(id=r.id + self.k * step, members=[(m.type, m.ref + self.k * step, m.role) for m in r.members]))
for handler in (Nodes, Ways, Relations):
    for k in range(copies): handler(k).apply_file(source)
writer.close()
